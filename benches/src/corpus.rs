//! Generated text in many scripts, the same in every run.
//!
//! Words are drawn at random from the sentences below and joined to lines of random length. Text
//! that repeats itself would be learnt by branch predictors and measured too fast.

use std::borrow::Cow;

use encoding_rs::{EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

use crate::machine;

/// A kind of input.
pub struct Corpus {
    /// Its name in every table.
    pub name: &'static str,
    make: fn(&mut Rng, usize) -> Vec<u8>,
}

impl Corpus {
    /// Generates `size` bytes.
    pub fn bytes(&self, size: usize) -> Vec<u8> {
        let mut bytes = (self.make)(&mut Rng::new(), size);
        bytes.resize(size, b'\n');
        bytes
    }
}

/// UTF-8, in the order in which tables show them.
pub static TEXTS: &[Corpus] = &[
    Corpus { name: "ascii", make: |rng, size| text(rng, size, &[&ENGLISH]) },
    Corpus { name: "latin", make: |rng, size| text(rng, size, LATIN) },
    Corpus { name: "cyrillic and arabic", make: |rng, size| text(rng, size, &[&RUSSIAN, &ARABIC]) },
    Corpus { name: "chinese and japanese", make: |rng, size| text(rng, size, CJK) },
    Corpus { name: "emoji", make: |rng, size| text(rng, size, &[&EMOJI]) },
    MIXED,
];

/// Lines of HTML in many languages.
pub const MIXED: Corpus = Corpus { name: "mixed markup", make: markup };

/// Mixed markup with ill-formed sequences.
pub static DIRTY: &[Corpus] = &[
    Corpus { name: "a fault per 64 KiB", make: |rng, size| with_issues(rng, size, 64 << 10) },
    Corpus { name: "a fault per 50 bytes", make: |rng, size| with_issues(rng, size, 50) },
];

/// Text in code pages.
pub static LEGACY: &[Corpus] = &[
    Corpus { name: "Latin-1", make: |rng, size| encoded(rng, size, LATIN, WINDOWS_1252) },
    Corpus {
        name: "Windows-1251",
        make: |rng, size| encoded(rng, size, &[&RUSSIAN], WINDOWS_1251),
    },
];

/// Text in multi-byte sets of East Asia.
pub static SETS: &[Corpus] = &[
    Corpus { name: "GBK", make: |rng, size| encoded(rng, size, &[&CHINESE], GBK) },
    Corpus { name: "Shift_JIS", make: |rng, size| encoded(rng, size, &[&JAPANESE], SHIFT_JIS) },
    Corpus { name: "EUC-KR", make: |rng, size| encoded(rng, size, &[&KOREAN], EUC_KR) },
];

/// Text in which characters share grapheme clusters.
pub static CLUSTERS: &[Corpus] = &[
    Corpus { name: "hindi", make: |rng, size| text(rng, size, &[&HINDI]) },
    Corpus { name: "thai", make: |rng, size| text(rng, size, &[&THAI]) },
];

/// Bytes that are no text.
pub static RANDOM: &[Corpus] = &[Corpus {
    name: "random bytes",
    make: |rng, size| (0..size.div_ceil(8)).flat_map(|_| rng.next().to_le_bytes()).collect(),
}];

/// Text that was read as Windows-1252 and written as UTF-8 again.
pub static TWICE: &[Corpus] = &[
    Corpus { name: "latin, encoded twice", make: |rng, size| twice(rng, size, LATIN) },
    Corpus { name: "russian, encoded twice", make: |rng, size| twice(rng, size, &[&RUSSIAN]) },
];

/// Sentences to draw words from, and the separator between words. In languages written without
/// spaces, the spaces in the sentences mark words only.
struct Language {
    separator: &'static str,
    sentences: &'static [&'static str],
}

impl Language {
    fn words(&self) -> Vec<&'static str> {
        self.sentences.iter().flat_map(|sentence| sentence.split(' ')).collect()
    }
}

static LATIN: &[&Language] = &[&FRENCH, &GERMAN, &SPANISH, &PORTUGUESE, &SWEDISH];
static CJK: &[&Language] = &[&CHINESE, &JAPANESE];
static ALL: &[&Language] = &[
    &ENGLISH,
    &FRENCH,
    &GERMAN,
    &SPANISH,
    &PORTUGUESE,
    &SWEDISH,
    &POLISH,
    &VIETNAMESE,
    &RUSSIAN,
    &GREEK,
    &HEBREW,
    &ARABIC,
    &HINDI,
    &THAI,
    &CHINESE,
    &JAPANESE,
    &KOREAN,
    &EMOJI,
];

static ENGLISH: Language = Language {
    separator: " ",
    sentences: &[
        "The night train was late again, and nobody on the platform seemed to mind.",
        "She keeps three notebooks: one for ideas, one for prices, and one for birds.",
        "If the kettle whistles before noon, somebody has forgotten to turn it off.",
        "We measured the bridge twice and wrote down two different numbers (12.5 and 13).",
    ],
};

static FRENCH: Language = Language {
    separator: " ",
    sentences: &[
        "L'été dernier, ma voisine a repeint sa clôture en bleu très pâle.",
        "Où as-tu caché la clé du grenier, derrière le piano ou sous l'évier ?",
        "Le garçon reçut une leçon de français à la bibliothèque près du théâtre.",
        "Déjà sept élèves préfèrent les crêpes au goûter, même sans gelée.",
    ],
};

static GERMAN: Language = Language {
    separator: " ",
    sentences: &[
        "Die Bäckerei öffnet früh, aber die Brötchen sind für gewöhnlich schon um neun weg.",
        "Über den Dächern hängt ein grauer Himmel, und es riecht nach nassem Laub.",
        "Der Schlüssel paßt nicht mehr, seit die Tür größer als der Rahmen ist.",
        "Meine Großmutter zählt jeden Abend die Hühner und übersieht immer dasselbe.",
    ],
};

static SPANISH: Language = Language {
    separator: " ",
    sentences: &[
        "¿Quién dejó el paraguas en el balcón cuando empezó la tormenta?",
        "El niño soñó con una montaña de azúcar y un río de café.",
        "Mañana compraré limón, jamón y algo de maíz para la reunión.",
        "¡Qué rápido pasó el autobús número diez por la estación!",
    ],
};

static PORTUGUESE: Language = Language {
    separator: " ",
    sentences: &[
        "A avó não encontrou o pão que deixou no balcão da cozinha.",
        "Amanhã haverá feijão, maçã e três lições de violão na praça.",
        "Ninguém sabe até quando durará a construção da estação.",
    ],
};

static SWEDISH: Language = Language {
    separator: " ",
    sentences: &[
        "Båten låg kvar vid ön hela våren, full av löv och regnvatten.",
        "Någon har målat grinden röd och glömt en hink på vår trädgårdsgång.",
        "I kväll äter vi ärtsoppa och räknar stjärnorna över sjön.",
    ],
};

static POLISH: Language = Language {
    separator: " ",
    sentences: &[
        "Żółw przeszedł przez ścieżkę, zanim słońce wyjrzało zza gór.",
        "Proszę kupić chleb, śliwki i trochę świeżej mięty.",
        "Wczoraj ktoś zgubił klucze między kościołem a łąką.",
    ],
};

static VIETNAMESE: Language = Language {
    separator: " ",
    sentences: &[
        "Buổi sáng hôm nay trời mưa nhẹ nên chợ vắng người.",
        "Bà tôi trồng một cây xoài sau nhà và đếm từng quả mỗi chiều.",
        "Con đường nhỏ dẫn đến bến đò cũ bên kia cánh đồng.",
    ],
};

static RUSSIAN: Language = Language {
    separator: " ",
    sentences: &[
        "Вчера вечером мы потеряли зонт в трамвае и нашли чужую перчатку.",
        "Если завтра не будет дождя, дети пойдут на реку ловить рыбу.",
        "Старый почтальон знает по имени каждую собаку нашей улицы.",
        "На подоконнике стоят три банки варенья, и ни одной ложки рядом.",
    ],
};

static GREEK: Language = Language {
    separator: " ",
    sentences: &[
        "Το καράβι έφυγε νωρίς και άφησε πίσω του δύο βαλίτσες.",
        "Ο γείτονας ποτίζει κάθε πρωί τις ντομάτες και τραγουδάει.",
        "Πού έβαλες τα γυαλιά μου, πάνω στο τραπέζι ή δίπλα στο παράθυρο;",
    ],
};

static HEBREW: Language = Language {
    separator: " ",
    sentences: &[
        "החתול של השכנים ישן כל היום על הגג שלנו.",
        "אתמול קנינו לחם חם, זיתים ושני ספרים ישנים.",
        "מי שכח את המטרייה ליד הדלת של הספרייה?",
    ],
};

static ARABIC: Language = Language {
    separator: " ",
    sentences: &[
        "وصل القطار متأخرا هذا الصباح ولم يغضب أحد من المسافرين.",
        "تزرع جدتي النعناع قرب النافذة وتسقيه كل مساء.",
        "أين وضعت مفتاح البيت، تحت الكتاب أم فوق الرف؟",
        "اشترى الولد خبزا وجبنا ونسي الحليب في السوق.",
    ],
};

static HINDI: Language = Language {
    separator: " ",
    sentences: &[
        "आज सुबह बारिश हुई और गली में पानी भर गया।",
        "मेरी बहन हर शाम छत पर बैठकर पतंग गिनती है।",
        "दुकान से चावल, नमक और थोड़ा अदरक ले आना।",
    ],
};

static THAI: Language = Language {
    separator: "",
    sentences: &[
        "วันนี้ ฝนตก ตั้งแต่ เช้า จน ถนน หน้าบ้าน มี น้ำ ขัง",
        "ยาย ปลูก มะม่วง ไว้ หลังบ้าน แล้ว นับ ลูก ทุก เย็น",
        "ใคร ลืม ร่ม ไว้ ข้าง ประตู ห้องสมุด เมื่อวาน",
    ],
};

static CHINESE: Language = Language {
    separator: "",
    sentences: &[
        "昨天 晚上 我们 在 河边 看见 一只 白色 的 鸟 ， 它 站了 很久 。",
        "邻居 的 孩子 每天 早上 都 骑 自行车 去 学校 ， 从来 不 迟到 。",
        "如果 明天 不 下雨 ， 我 打算 把 旧 书架 搬到 院子 里 晒太阳 。",
        "这家 小店 卖 热豆浆 和 芝麻饼 ， 老板 记得 每个 客人 的 口味 。",
    ],
};

static JAPANESE: Language = Language {
    separator: "",
    sentences: &[
        "今朝は 雨が 降っていたので 、 傘を 二本 持って 出かけました 。",
        "となりの 家の 猫が 、 うちの 屋根で いつも 昼寝を している 。",
        "駅前の パン屋は カレーパンと メロンパンが とても おいしい 。",
        "祖父は 毎晩 ラジオを 聞きながら 古い 時計を 直します 。",
    ],
};

static KOREAN: Language = Language {
    separator: " ",
    sentences: &[
        "어제 저녁에 우산을 버스에 두고 내려서 비를 맞았다.",
        "우리 동네 빵집은 아침 일곱 시에 문을 연다.",
        "할머니는 마당에 고추를 말리면서 노래를 부르신다.",
    ],
};

static EMOJI: Language = Language {
    separator: "",
    sentences: &[
        "😀 😅 🤔 😴 🥳 🙃 😎 🤖 👻 💡 🔧 🧭 📦 🎈 🎸 🚲 🚀 🛶 🌋 🌧 🍕 🥝 🍜 🐙 🦉 🐢 🦔 🌵 🍄 🪐",
        "👍🏽 👩‍🚀 🧑🏿‍🌾 👨‍👩‍👧 🏳️‍🌈 🇳🇴 🇧🇷 🇯🇵 ✅ ❤️ 🧵 🪡 🎲 🧩 🛰 🔭",
    ],
};

/// A generator of random numbers (xorshift64*) with a fixed seed.
struct Rng(u64);

impl Rng {
    fn new() -> Rng {
        Rng(0x9E37_79B9_7F4A_7C15)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn one_of<T: Copy>(&mut self, choice: &[T]) -> T {
        choice[self.below(choice.len())]
    }
}

/// The words and the separator of each language.
type Stock = [(Vec<&'static str>, &'static str)];

fn stock(languages: &[&Language]) -> Vec<(Vec<&'static str>, &'static str)> {
    languages.iter().map(|language| (language.words(), language.separator)).collect()
}

/// Appends 1 to 1.5 × `words` random words of one language.
fn phrase(rng: &mut Rng, stock: &Stock, words: usize, out: &mut Vec<u8>) {
    let (choice, separator) = &stock[rng.below(stock.len())];
    for i in 0..1 + rng.below(words + words / 2) {
        if i > 0 {
            out.extend_from_slice(separator.as_bytes());
        }
        out.extend_from_slice(rng.one_of(choice).as_bytes());
    }
}

/// Appends the output of `generate` as long as it fits.
fn fill(size: usize, mut generate: impl FnMut(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = machine::buffer(size);
    let mut next = Vec::new();
    loop {
        next.clear();
        generate(&mut next);
        if bytes.len() + next.len() > size {
            return bytes;
        }
        bytes.extend_from_slice(&next);
    }
}

/// Generates lines of words.
fn text(rng: &mut Rng, size: usize, languages: &[&Language]) -> Vec<u8> {
    let stock = stock(languages);
    fill(size, |out| {
        phrase(rng, &stock, 16, out);
        out.push(b'\n');
    })
}

/// Generates markup as of an encyclopaedia: all languages, about half of it ASCII, partly in long
/// runs.
fn markup(rng: &mut Rng, size: usize) -> Vec<u8> {
    let stock = stock(ALL);
    fill(size, |out| line_of_markup(rng, &stock, out))
}

fn line_of_markup(rng: &mut Rng, stock: &Stock, out: &mut Vec<u8>) {
    let number = rng.below(10_000);
    if number.is_multiple_of(10) {
        out.extend_from_slice(format!("<script data-part=\"{number}\">// ").as_bytes());
        phrase(rng, &stock[..1], 200, out);
        return out.extend_from_slice(b"</script>\n");
    }
    let (open, close) = match rng.below(6) {
        0 => (format!("<li id=\"note-{number}\"><b>"), "</b></li>\n"),
        1 => (format!("<h2 class=\"title level-{}\">", number % 7), "</h2>\n"),
        2 => (format!("<td data-row=\"{number}\" align=\"right\">"), "</td></tr>\n"),
        3 => (format!("<!-- part {number} -->\n<p>"), "</p>\n\n"),
        _ => ("<p>".to_owned(), "</p>\n"),
    };
    out.extend_from_slice(open.as_bytes());
    phrase(rng, stock, 12, out);
    for _ in 0..rng.below(4) {
        let page = rng.below(100_000);
        out.extend_from_slice(format!(" <a href=\"/page/{page}\" title=\"").as_bytes());
        phrase(rng, stock, 2, out);
        out.extend_from_slice(b"\">");
        phrase(rng, stock, 2, out);
        out.extend_from_slice(b"</a> ");
        phrase(rng, stock, 8, out);
    }
    out.extend_from_slice(close.as_bytes());
}

/// Ill-formed sequences, one of each kind or more.
const ISSUES: &[&[u8]] = &[
    &[0x80],
    &[0xBF],
    &[0xC0, 0x80],
    &[0xC0, 0xAF],
    &[0xC3],
    &[0xE0, 0x80, 0xAF],
    &[0xE2, 0x82],
    &[0xED, 0xA0, 0x80],
    &[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
    &[0xF0, 0x9F, 0x98],
    &[0xF4, 0x90, 0x80, 0x80],
    &[0xF8, 0x88, 0x80, 0x80, 0x80],
    &[0xFE],
    &[0xFF],
];

/// Generates markup with an ill-formed sequence per `distance` bytes, on average.
fn with_issues(rng: &mut Rng, size: usize, distance: usize) -> Vec<u8> {
    let clean = markup(&mut Rng::new(), size);
    let mut bytes = machine::buffer(size);
    let mut rest = clean.as_slice();
    while bytes.len() < size && !rest.is_empty() {
        let mut length = rest.len().min(1 + rng.below(2 * distance));
        while rest.get(length).is_some_and(|byte| byte & 0xC0 == 0x80) {
            length += 1;
        }
        bytes.extend_from_slice(&rest[..length]);
        bytes.extend_from_slice(rng.one_of(ISSUES));
        rest = &rest[length..];
    }
    bytes
}

/// Generates lines of text in an encoding.
fn encoded(
    rng: &mut Rng,
    size: usize,
    languages: &[&Language],
    encoding: &'static Encoding,
) -> Vec<u8> {
    lines(rng, size, languages, |line| encoding.encode(line).0)
}

/// Generates lines of doubly encoded text.
fn twice(rng: &mut Rng, size: usize, languages: &[&Language]) -> Vec<u8> {
    lines(rng, size, languages, |line| {
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(line.as_bytes());
        Cow::Owned(text.into_owned().into_bytes())
    })
}

/// Generates lines of text, converted by `convert`.
fn lines(
    rng: &mut Rng,
    size: usize,
    languages: &[&Language],
    convert: impl Fn(&str) -> Cow<'_, [u8]>,
) -> Vec<u8> {
    let stock = stock(languages);
    let mut utf8 = Vec::new();
    fill(size, |out| {
        utf8.clear();
        phrase(rng, &stock, 16, &mut utf8);
        out.extend_from_slice(&convert(str::from_utf8(&utf8).expect("words are text")));
        out.push(b'\n');
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_well_formed_and_reproducible() {
        for corpus in TEXTS {
            let bytes = corpus.bytes(100_000);
            assert_eq!(bytes.len(), 100_000, "{}", corpus.name);
            assert!(str::from_utf8(&bytes).is_ok(), "{}", corpus.name);
            assert!(bytes == corpus.bytes(100_000), "{}", corpus.name);
        }
        assert!(TEXTS[0].bytes(100_000).is_ascii());
    }

    #[test]
    fn other_corpora_are_ill_formed() {
        for corpus in DIRTY.iter().chain(LEGACY).chain(SETS) {
            assert!(str::from_utf8(&corpus.bytes(1 << 20)).is_err(), "{}", corpus.name);
        }
    }
}
