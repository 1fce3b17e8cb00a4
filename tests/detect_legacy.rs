//! Does the ranking of legacy encodings keep its laws, and does it know its languages?

use utf8::codec::{CODECS, Escapes, Group, Spec, find};
use utf8::detect::detect;
use utf8::detect::legacy::{Candidate, Sample, rank};
use utf8::issue::Kind;
use utf8::issues;

/// Sentences, written for this test, and the pages and sets that hold them.
static SENTENCES: &[(&str, &str, &str)] = &[
    (
        "en",
        "windows-1252 macintosh",
        "We met at the café on Monday – it’s the “quiet” one near the harbour, isn’t it?",
    ),
    (
        "fr",
        "windows-1252 iso-8859-15 macintosh ibm850",
        "L’hiver dernier, la rivière a gelé près du château où habitait ma grand-mère. Ça n’était jamais arrivé.",
    ),
    (
        "de",
        "windows-1252 iso-8859-1 macintosh ibm850",
        "Die Bäckerei öffnet früh, aber am Samstag müssen wir länger warten. Natürlich heißt das nicht, dass es schöner wäre.",
    ),
    (
        "es",
        "windows-1252 iso-8859-1 macintosh ibm850",
        "Mañana saldrá el autobús a las ocho. ¿Dónde está la estación? El señor Ibáñez nos lo explicó rápidamente.",
    ),
    (
        "pt",
        "windows-1252 iso-8859-1 macintosh ibm850 ibm860",
        "A lição de amanhã não é difícil, mas os alunos têm de ler três páginas antes da próxima reunião.",
    ),
    (
        "it",
        "windows-1252 iso-8859-1 macintosh ibm850",
        "Perché la città è così tranquilla? Domani andrò più lontano, là dove il caffè costa di meno.",
    ),
    (
        "nl",
        "windows-1252 iso-8859-1 ibm850",
        "Het idee van België is geërfd; één van de coördinatoren heeft het ruïneuze plan geïntroduceerd.",
    ),
    (
        "da",
        "windows-1252 iso-8859-1 ibm850 ibm865",
        "Børnene går på stranden og spiser æbler, mens fødderne bliver våde. Måske køber vi også rødgrød.",
    ),
    (
        "nb",
        "windows-1252 iso-8859-1 ibm850",
        "Vi måtte gå over fjellet før snøen kom, og været ble bare dårligere. Så så vi endelig hytta på høyden.",
    ),
    (
        "sv",
        "windows-1252 iso-8859-1 macintosh ibm850",
        "På våren växer gräset snabbt och kråkorna bråkar högt utanför köket. Får vi äta på ängen i år?",
    ),
    (
        "fi",
        "windows-1252 iso-8859-1 macintosh ibm850",
        "Tänään lämpötila nousee hyvin korkealle, mutta yöllä täytyy lämmittää. Älä jätä pöytää sateeseen.",
    ),
    (
        "is",
        "windows-1252 iso-8859-1 ibm861",
        "Það er kalt í dag og fjöllin eru þakin snjó. Ég ætla að fá mér heitt súkkulaði og lesa góða bók.",
    ),
    (
        "ga",
        "windows-1252 iso-8859-14",
        "Tá an aimsir go breá inniu agus beidh na páistí ag súgradh cois farraige. Níl áit níos fearr ar domhan.",
    ),
    (
        "ca",
        "windows-1252 iso-8859-1",
        "Demà anirem a la muntanya perquè farà bon temps. La meva àvia és més jove que això, però té raó.",
    ),
    (
        "cy",
        "iso-8859-14",
        "Mae’r tŷ wrth y dŵr yn hen iawn, ond mae’r ardd yn hyfryd ac mae’r plant wrth eu bodd yn chwarae yno.",
    ),
    (
        "pl",
        "windows-1250 iso-8859-2 ibm852",
        "Wczoraj wieczorem poszliśmy na spacer, żeby zobaczyć, jak płynie rzeka. Łódź była już pełna ludzi i trochę się bałem.",
    ),
    (
        "cs",
        "windows-1250 iso-8859-2 ibm852",
        "Příští týden pojedeme na chalupu a budeme sbírat houby. Nejraději máme hřiby, ale ty už letos téměř nerostou.",
    ),
    (
        "sk",
        "windows-1250 iso-8859-2 ibm852",
        "Môj brat má veľký pes, ktorý každý deň šteká na susedov. Včera ušiel a vrátil sa až večer, špinavý a šťastný.",
    ),
    (
        "hu",
        "windows-1250 iso-8859-2 ibm852",
        "A gyerekek az erdőben játszottak, amíg el nem kezdett esni az eső. Később együtt főztünk egy jó erős gulyást.",
    ),
    (
        "sl",
        "windows-1250 iso-8859-2 ibm852",
        "Jutri bomo šli na izlet v hribe, če bo vreme lepo. Otroci že komaj čakajo, da bodo videli jezero in živali.",
    ),
    (
        "hr",
        "windows-1250 iso-8859-2 ibm852",
        "Jučer smo kupili svježu ribu i kruh. Kuća je blizu mora, pa često šećemo uz obalu kad pođe sunce.",
    ),
    (
        "ro",
        "windows-1250 iso-8859-2 ibm852",
        "În fiecare dimineaţă beau o cafea şi citesc ziarul înainte să plec. Fraţii mei şi-au cumpărat o casă lângă pădure.",
    ),
    (
        "sq",
        "windows-1252",
        "Fëmijët luajnë në rrugë dhe nëna i thërret për darkë. Është një mbrëmje e bukur, por bën pak ftohtë.",
    ),
    (
        "et",
        "windows-1257 iso-8859-15",
        "Täna õhtul läheme sõpradega kinno ja pärast sööme midagi. Õues sajab jälle lund ning jõgi on jäätunud.",
    ),
    (
        "lv",
        "windows-1257 iso-8859-13 iso-8859-4",
        "Šodien bērni dārzā stāda puķes, bet rīt brauksim uz jūru. Vecmāmiņa cepa maizi un stāstīja pasakas.",
    ),
    (
        "lt",
        "windows-1257 iso-8859-13 iso-8859-4",
        "Vakar vakare žiūrėjome į žvaigždes ir klausėmės tylos. Šį rytą vėl lyja, todėl liksime namuose prie šiltos krosnies.",
    ),
    (
        "eo",
        "iso-8859-3",
        "Ĉiuj infanoj ĝojas, kiam la suno brilas super la ĝardeno. Ĵaŭde ni vojaĝos per ŝipo ĝis la alia bordo.",
    ),
    (
        "tr",
        "windows-1254 iso-8859-9 ibm857",
        "Bugün hava çok güzel, bu yüzden çocuklar bahçede oynuyor. Akşam yemeğinde balık ve taze ekmek yiyeceğiz.",
    ),
    (
        "el",
        "windows-1253 iso-8859-7 ibm737",
        "Σήμερα το πρωί ήπιαμε καφέ δίπλα στη θάλασσα. Η γιαγιά μου λέει πάντα ωραίες ιστορίες για το χωριό της.",
    ),
    (
        "ru",
        "windows-1251 koi8-r iso-8859-5 ibm866 x-mac-cyrillic ibm855",
        "Утром мы вышли из дома и пошли к реке. Старый мост был закрыт, поэтому пришлось идти через лес.",
    ),
    (
        "uk",
        "windows-1251 koi8-u iso-8859-5",
        "Сьогодні ввечері ми їдемо до бабусі в село. Там її сусіди вже збирають яблука й варять борщ.",
    ),
    (
        "be",
        "windows-1251 iso-8859-5",
        "Учора ўвечары мы гулялі каля возера і слухалі птушак. Ён сказаў, што заўтра будзе дождж.",
    ),
    (
        "bg",
        "windows-1251 iso-8859-5",
        "Вчера вечерта гледахме филм, а после се разходихме из града. Утре ще пътуваме към морето с влак.",
    ),
    (
        "sr",
        "windows-1251 iso-8859-5",
        "Јуче смо ишли на пијацу и купили свеже воће. Његова кућа је поред реке, где деца често играју фудбал.",
    ),
    (
        "mk",
        "windows-1251 iso-8859-5",
        "Денес времето е убаво и децата си играат надвор. Ќе одиме кај нејзините родители на вечера.",
    ),
    (
        "he",
        "windows-1255 iso-8859-8 ibm862",
        "הבוקר הלכנו לשוק וקנינו פירות טריים. הילדים שיחקו בחצר עד שירד הגשם והם נכנסו הביתה.",
    ),
    (
        "ar",
        "windows-1256 iso-8859-6",
        "ذهبنا أمس إلى السوق واشترينا الخبز والفاكهة الطازجة. كان الجو جميلا والأطفال يلعبون قرب النهر.",
    ),
    ("th", "windows-874 tis-620", "วันนี้อากาศดีมาก เราจึงไปเดินเล่นที่ริมแม่น้ำ แล้วกินข้าวเย็นกับเพื่อนที่ร้านใกล้บ้าน"),
    (
        "zh-cn",
        "gbk",
        "今天天气很好，我们一起去公园散步。孩子们在湖边放风筝，老人坐在树下喝茶聊天。",
    ),
    (
        "zh-tw",
        "big5",
        "今天天氣很好，我們一起去公園散步。孩子們在湖邊放風箏，老人坐在樹下喝茶聊天。",
    ),
    (
        "ja",
        "shift_jis euc-jp",
        "今日は天気がいいので、友達と公園を散歩しました。帰りにパン屋でコーヒーを飲んで、ゆっくり話しました。",
    ),
    (
        "ko",
        "euc-kr",
        "오늘은 날씨가 좋아서 친구와 함께 공원을 걸었습니다. 저녁에는 집에서 따뜻한 국을 끓여 먹었어요.",
    ),
];

fn encoded(codec: &Spec, text: &str) -> Vec<u8> {
    let mut writer = (codec.write)(Escapes::Usual);
    let mut bytes = Vec::new();
    for character in text.chars() {
        assert!(writer.put(character.into(), &mut bytes), "{} lacks {character}", codec.name);
    }
    writer.finish(&mut bytes);
    bytes
}

fn decoded(codec: &Spec, mut bytes: &[u8]) -> Vec<u32> {
    let mut text = Vec::new();
    while !bytes.is_empty() {
        let step = (codec.step)(bytes);
        match step {
            utf8::codec::Step::Scalar { value, .. } => text.push(value),
            utf8::codec::Step::Two { values, .. } => text.extend(values),
            // The end cuts a character: all there is of it.
            utf8::codec::Step::Ill { kind: Kind::TruncatedEnd, .. } => {
                text.extend(bytes.iter().map(|&byte| 0x11_0000 + u32::from(byte)));
                return text;
            }
            step => panic!("{step:?} in {}", codec.name),
        }
        bytes = &bytes[step.size()..];
    }
    text
}

/// Each sentence in each of its encodings.
fn cases() -> impl Iterator<Item = (&'static str, &'static Spec, Vec<u8>)> {
    SENTENCES.iter().flat_map(|&(language, names, text)| {
        names.split(' ').map(move |name| {
            let codec = find(name).unwrap();
            // Half of the pages have no typographic quotes.
            let plain = text.replace(['’', '“', '”'], "'").replace('–', "-");
            let holds = text.chars().all(|character| codec.holds(character.into()));
            (language, codec, encoded(codec, if holds { text } else { &plain }))
        })
    })
}

fn ranked(bytes: &[u8]) -> Vec<Candidate> {
    in_pieces(bytes, usize::MAX)
}

fn in_pieces(bytes: &[u8], size: usize) -> Vec<Candidate> {
    let mut sample = Sample::default();
    bytes.chunks(size).for_each(|piece| sample.add(piece));
    rank(sample)
}

fn is_right(bytes: &[u8], codec: &Spec) -> bool {
    let best = ranked(bytes)[0].codec;
    decoded(best, bytes) == decoded(codec, bytes)
}

/// Bytes without a meaning, the same each time.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Long texts of several sorts, with much ASCII between.
fn long() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = ["koi8-r", "shift_jis", "gbk", "iso-8859-2", "windows-1255"]
        .into_iter()
        .map(|name| {
            let sentences: Vec<u8> = cases()
                .filter(|(_, codec, _)| codec.name == name)
                .flat_map(|(.., bytes)| [bytes, b"\n<p>".to_vec()].concat())
                .collect();
            [sentences.repeat(150), b" nothing but ASCII".repeat(300), sentences].concat()
        })
        .collect();
    texts.push(noise(50_000, 1));
    texts
}

#[test]
fn sentences_are_known() {
    let wrong: Vec<String> = cases()
        .filter(|(_, codec, bytes)| !is_right(bytes, codec))
        .map(|(language, codec, bytes)| {
            format!("{language} {} {:?}", codec.name, ranked(&bytes)[0])
        })
        .collect();
    assert!(wrong.len() <= 2, "{wrong:#?}");
}

#[test]
fn most_pieces_of_24_bytes_are_known() {
    let (mut right, mut all) = (0, 0);
    for (_, codec, bytes) in cases() {
        // Of texts of one byte a character, any piece is text.
        for piece in bytes.chunks_exact(24).filter(|_| codec.group == Group::Page) {
            if !piece.is_ascii() {
                right += u32::from(is_right(piece, codec));
                all += 1;
            }
        }
    }
    assert!(right * 100 >= all * 92, "{right} of {all}");
}

#[test]
fn languages_are_told() {
    let told = cases().filter(|(language, _, bytes)| ranked(bytes)[0].language == *language);
    let (told, all) = (told.count(), cases().count());
    assert!(told * 100 >= all * 90, "{told} of {all}");
}

#[test]
fn visual_hebrew_is_hebrew() {
    let codec = find("iso-8859-8").unwrap();
    let (.., text) = SENTENCES.iter().find(|row| row.0 == "he").unwrap();
    let visual: String = text.chars().rev().collect();
    let best = &ranked(&encoded(codec, &visual))[0];
    assert_eq!(best.language, "he-visual");
}

#[test]
fn vietnamese_is_in_its_page_with_its_tones_apart() {
    let codec = find("windows-1258").unwrap();
    let text = "Hôm nay trời đe\u{323}p nên chúng tôi đi da\u{323}o quanh hô\u{300}. Buô\u{309}i tô\u{301}i ca\u{309} nha\u{300} ăn cơm.";
    let text = text.replace('ờ', "ơ\u{300}");
    let best = &ranked(&encoded(codec, &text))[0];
    assert_eq!((best.codec.name, best.language), ("windows-1258", "vi"));
}

/// Whether bytes are well formed, but for a character that their end cuts.
fn is_held(codec: &Spec, bytes: &[u8]) -> bool {
    issues(codec, bytes).iter().all(|issue| {
        issue.kind == Kind::TruncatedEnd && issue.offset + issue.len as u64 == bytes.len() as u64
    })
}

#[test]
fn a_candidate_holds_all_and_none_is_left_out() {
    let listed: Vec<&str> = ranked(b"\xA1\xA1").iter().map(|one| one.codec.name).collect();
    assert!(listed.len() > 45, "{listed:?}");
    let texts = long().into_iter().chain((0..40).map(|seed| noise(3, seed)));
    for bytes in texts.chain(cases().map(|(.., bytes)| bytes)) {
        let found: Vec<&str> = ranked(&bytes).iter().map(|one| one.codec.name).collect();
        for codec in CODECS.iter().filter(|codec| listed.contains(&codec.name)) {
            let holds = is_held(codec, &bytes);
            let hopeless = codec.group == Group::EastAsia && bytes.len() > 16 << 10;
            let found = found.contains(&codec.name);
            assert!(found == holds || holds && hopeless, "{} {bytes:X?}", codec.name);
        }
    }
}

#[test]
fn pieces_do_not_matter() {
    for bytes in long() {
        let whole = ranked(&bytes);
        for size in [1, 7, 1023, 1025, 30_000] {
            let pieces = in_pieces(&bytes, size);
            assert_eq!(format!("{whole:?}"), format!("{pieces:?}"), "pieces of {size}");
        }
    }
}

#[test]
fn more_of_the_same_keeps_the_answer() {
    for (language, codec, bytes) in cases().filter(|(_, codec, bytes)| is_right(bytes, codec)) {
        let twice = [&bytes[..], b"\n", &bytes].concat();
        assert!(is_right(&twice, codec), "{language} {}", codec.name);
        let often = twice.repeat(200);
        assert!(is_right(&often, codec), "{language} {}, often", codec.name);
    }
}

/// Two files: the halves of a sentence, the second first. Each must be sure, for two doubts may
/// add up to something else.
#[test]
fn two_texts_in_one_set_are_in_that_set() {
    let told = |codec: &Spec, bytes: &[u8], least: f64| {
        let verdict = detect(bytes);
        let found = find(verdict.answer.name()).filter(|_| verdict.confidence >= least);
        found.is_some_and(|found| decoded(found, bytes) == decoded(codec, bytes))
    };
    let mut number = 0;
    for (language, codec, bytes) in cases() {
        let Some(at) = bytes.iter().skip(bytes.len() / 2).position(|&byte| byte == b' ') else {
            continue;
        };
        let (first, second) = bytes.split_at(bytes.len() / 2 + at);
        if told(codec, first, 0.8) && told(codec, second, 0.8) {
            let both = [second, b"\n", first].concat();
            assert!(told(codec, &both, 0.8), "{language} {}", codec.name);
            number += 1;
        }
    }
    assert!(number > 100, "{number}");
}

#[test]
fn confidence_is_a_probability_and_equal_texts_share_it() {
    for (_, _, bytes) in cases() {
        let found = ranked(&bytes);
        assert!(found.is_sorted_by_key(|one| one.cost));
        assert!(found.iter().all(|one| one.confidence <= found[0].confidence));
        let mut texts: Vec<(Vec<u32>, f64)> = Vec::new();
        for one in &found {
            assert!((0.0..=1.0).contains(&one.confidence));
            let text = decoded(one.codec, &bytes);
            match texts.iter().find(|(other, _)| *other == text) {
                Some((_, confidence)) => assert_eq!(*confidence, one.confidence),
                None => texts.push((text, one.confidence)),
            }
        }
        assert!(texts.iter().map(|(_, confidence)| confidence).sum::<f64>() < 1.000_001);
    }
}

#[test]
fn noise_is_nothing() {
    for seed in 0..20 {
        let best = &ranked(&noise(400, seed))[0];
        assert!(best.confidence < 0.01, "{best:?}");
    }
}

#[test]
fn a_character_that_the_end_cuts_rules_no_set_out() {
    for name in ["shift_jis", "euc-jp", "gbk", "big5", "euc-kr"] {
        let codec = find(name).unwrap();
        let (.., bytes) = cases().find(|(_, other, _)| other.name == name).unwrap();
        let bytes = bytes.strip_suffix(b".").unwrap_or(&bytes);
        let full = bytes.repeat(100);
        let longer = [&full[..], &bytes[..1]].concat();
        for bytes in [&bytes[..bytes.len() - 1], &full[..full.len() - 1], &longer] {
            assert!(is_held(codec, bytes) && !issues(codec, bytes).is_empty(), "{name}");
            assert_eq!(ranked(bytes)[0].codec.name, name);
        }
    }
}

#[test]
fn a_cut_sequence_within_rules_a_set_out() {
    let codec = find("euc-jp").unwrap();
    let bytes = [&encoded(codec, "今日は")[..5], b" and on"].concat();
    assert!(ranked(&bytes).iter().all(|one| one.codec.name != "euc-jp"));
}
