//! Double encoding: undone where it is certain, and other text left alone.

use crate::common::inputs::{HOSTILE, Rng};
use crate::common::repair::{character, misread};
use crate::properties::mojibake::{told, undone};
use utf8::codec::Group;
use utf8::mojibake::{MojibakePart, MojibakeUndoer};
use utf8::registry::{CODECS, Encoding};

/// Ordinary text in many scripts.
#[rustfmt::skip]
static SENTENCES: &[&str] = &[
    "Les naïfs œgipans hâtifs déjà gênés s’arrêtèrent à Nîmes : « Où êtes-vous, très cher ? »",
    "Zwölf große Boxkämpfer jagen Übermut „quer“ über den Sylter Deich – für 5 €.",
    "Não há ninguém à espera; atenção às lições do João, que já é avô.",
    "El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia; ¿añoraba? ¡Sí!",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Zażółć gęślą jaźń, a potem idź spać.",
    "Árvíztűrő tükörfúrógép, őrült írók.",
    "Pijamalı hasta yağız şoföre çabucak güvendi.",
    "Blåbærsyltetøy på brød, så er det godt å være hjemme.",
    "Flygande bäckasiner söka hwila på mjuka tuvor.",
    "Kæmi ný öxi hér, ykist þjófum nú bæði víl og ádrepa.",
    "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą.",
    "Sarkanās jūrascūciņas peld pa jūru, ņemot līdzi ķīsēļus.",
    "Do bạch kim rất quý nên sẽ dùng để lắp vô xương.",
    "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία, είπε ο Γιώργος.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Чуєш їх, доцю, га? Кумедна ж ти, прощайся без ґольфів!",
    "Љубазни фењерџија чађавог лица хоће да ми покаже штос.",
    "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה.",
    "صِف خَلقَ خَودٍ كَمِثلِ الشَمسِ إِذ بَزَغَت.",
    "همه انسان‌ها آزاد به دنیا می‌آیند.",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता है।",
    "எல்லா மனிதர்களும் சுதந்திரமாகப் பிறக்கிறார்கள்.",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์",
    "ყველა ადამიანი იბადება თავისუფალი.",
    "Բոլոր մարդիկ ծնվում են ազատ ու հավասար։",
    "いろはにほへと ちりぬるを。我が世誰ぞ常ならむ。",
    "人人生而自由，在尊严和权利上一律平等。",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "Well done 👍🏽, see you at the 🏖️ — bring ☕ and 🍰!",
    "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β = ¬(¬α ∨ β)",
];

/// Text that resembles mojibake and is meant.
#[rustfmt::skip]
static MEANT: &[&str] = &[
    // Capitals before punctuation.
    "AMANHÃ… SERÁ NÃO", "A CONCLUSÃO", "CORAÇÃO, PÃO E IRMÃ’S", "S Ã O  P A U L O", "PELÉ…", "CAFÉ”", "TÚ—YO",
    "MÁS®, CAFÉ™ e VOCÊ©", "ÇA VA, RENÉ»", "« L’ÉTÉ »", "«\u{A0}très agréé\u{A0}»", "il l’a agréé…»",
    "SCHLOẞ", "Größe “XL”, Spaß“", "Fußgänger» und Maß…", "ÄÖÜ äöü ß“", "Å™ was here", "10 Å—12 Å",
    "HALLÅ… DÄR", "RĂU”, BĂ™", "ŠALIŲ™ RŪŠIŲ…", "ŻÓŁĆ…”", "ČEŠTINA… ŘEŘICHA” víš… níž…", "víš… že „ne“",
    "Đường… ĐÃ ĐẾN ĐÂU”", "ĐÃ… CŨNG",  "À… Á… Â… Ã…", "Ñandú… ÑOÑO”",
    // Cyrillic and Greek, with punctuation and letters of its neighbours.
    "Её «ёлка», №5…", "слово»…", "Їжак і ґава: «Є ще їжа»…", "ЂУРЂЕВДАН, ВІКІ, ЋИРИЛИЦА", "Њега… Џеп” Љуба’",
    "ΕΛΛΗΝΙΚΑ… «Όχι»", "Η ¨λέξη¨ είναι…", "РАЗДЕЛ №1 — «СЁМГА»…",
    // Marks of law and trade, units, footnotes.
    "©®™ 2024 NESCAFÉ® & CITROËN™", "§ 5 Abs. 2 ©, ¶ 3, † 1901, ‡", "25 °C ± 0,5 µm × 3² = ½·¾", "É¹, Ü² und Ö³", "N.º 1, 2.ª, R$ 5 – £3 – 5 € – ¥7",
    "3×£5, 4×…, 5÷2, “×”, “+”", "[x]\u{A0}©", "PRIX\u{A0}: 5\u{A0}€", "ÉTÉ\u{A0}! SELKÄ\u{A0}JA PÄÄ\u{A0}EDELLÄ",
    // Signs for apostrophes, quotation marks and pauses in words in capitals.
    "´KYLLÄ´", "SÅ´N SE PÅ´", "¨KYLLÄ¨ JA ¨EI¨", "NEI…PÅ…OG", "JÄ…SEN", "Ü°Bäh",
    // Mathematics.
    "√2, √π, 2√3, (-½)! = √π", "∆x ≈ ∂f, ∑≠∏, ∞≥√∞, ∆°", "a≤b≥c≠d, ∫f = Ω", "¬p ∨ q, ¬¬p, x¬y",
    // Emoticons and ornaments.
    "¯\\_(ツ)_/¯", "(¬‿¬) `¬´ (¬_¬)", "( o¬ô ) ಠ_ಠ", "´´olá´´ ``aí´´", "°º¤ø,¸¸,ø¤º°`°º¤ø", "·•°¤ ×÷× ¤°•·",
    "MÄ£Ä ÌÑÌ £ÄGÌ $ÚÄ", "¡¡OLÉ!! ¿QUÉ?", "!OLÉ¡ QUÉ¿",
    // Box drawings.
    "┌──┬──┐", "│é │ü │", "├──┼──┤", "└──┴──┘", "╔══╦══╗║╠╬╣╚╩╝", "├── été", "└── naïve", "░▒▓█▓▒░", "╭─╮╰─╯", "┤a├ ┼┐b┼┐",
    "┌┐└┘├┤┬┴", "╔╗╚╝╠╣╦╩", "├┤├┤├┤", "▀▄▀▄█▌▐",
    // Source code.
    "let naïve = \"Ünï…\"; // «é»", "s/[À-ÿ]/x/g", "/[\\u00c3©]/", "x = {'Ø': '×', 'ß': '÷'}",
    // Rows of letters.
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞß", "Â Ã Ä Å", "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ", "АБВГДЕЁЖЗИЙКЛМНОП РСТУФХЦЧШЩЪЫЬЭЮЯ",
    // å in windows-1250, or á in ISO-8859-2; ß or ü.
    "MĂĄm", "groĂźe",
    // U+FFFD from elsewhere.
    "caf\u{FFFD} na\u{FFFD}ve VOC\u{FFFD}", "\u{FFFD}\u{FFFD} \u{FFFD}",
    // No page has an unassigned byte that gives a letter or mark after Â; macintosh has none at all.
    "Â\u{FFFD}été", "nÂ\u{FFFD}°5", "coûtÂ\u{FFFD}: 5Â\u{FFFD}€", "√\u{FFFD} √\u{FFFD}n",
];

/// Text that can be reversed in some page and is, or may be, meant.
#[rustfmt::skip]
static SOUND: &[&str] = &[
    // Ordinals as typed on Greek keyboards.
    "Ο Β΄ Παγκόσμιος Πόλεμος", "Πτολεμαίος Γ΄ ο Ευεργέτης", "Εθνική Α΄, Β΄ Εθνική και Γ΄ Εθνική", "Δ΄ Ζ΄ Κ΄ Ξ΄ Π΄ Ω΄",
    // Letters in quotes.
    "slovo „Ć“", "slova »Š« i »Đ«", "slova „Š“, „Đ“, „Č“ i „Ć“", "a „Ã“ b", "x „Г“ y", "„В“ „Г“",
    // Capitals before other marks.
    "AMANHÃ¹", "AMANHÃ²", "AMANHÃ“", "AMANHÃ€", "LÃ®", "FÃ²", "«CARAPÃ» “CARAPÃ” CARAPÃ…",
    // Single letters and symbols with a mark; lists of letters.
    "Π²", "Γ²", "Š²", "Р°", "√∫", "√Å", "€„Š§", "?Â¢â?", "Ā\u{A0}Á\u{A0}Â\u{A0}Ã\u{A0}Ä",
    // The rest of a closing quote.
    "â€ and", "â€ la",
    // Another, equally plausible letter in windows-1250 than in iso-8859-2.
    "fĂĽr", "niĂąo", "SprĂźnge", "NepĹŤra",
];

/// Text that was encoded twice or more often, and the original. Any page may be named.
#[rustfmt::skip]
static CERTAIN: &[(&str, &str)] = &[
    // ibm866, of which ibm437 has half of the letters.
    ("╨┐╤А╨╕╨▓╨╡╤В", "привет"),
    ("╨Я╤А╨╕╨▓╨╡╤В, ╨╝╨╕╤А! ╨н╤В╨╛ ╨╝╨╛╨╣ ╤Д╨░╨╣╨╗.", "Привет, мир! Это мой файл."),
    ("itтАЩs fine тАФ тАЬyesтАЭ, caf├й", "it’s fine — “yes”, café"),
    ("цЭОхдзхРМ", "李大同"),
    // Letters of Kabyle, of which one gains nothing alone.
    ("umna·∏ç iŒ≥ewwa·πõen", "umnaḍ iγewwaṛen"),
    ("taÉŁáş“int: aqaáą›áą›u n uáş“eáą\u{AD}áą\u{AD}a", "taɣẓint: aqaṛṛu n uẓeṭṭa"),
    ("garÃ§on, dÃ©jÃ\u{A0} vu, Ãªtre", "garçon, déjà vu, être"),
    ("Itâ€™s â€œfineâ€\u{9D}â€¦ â€“ really", "It’s “fine”… – really"),
    ("Ã–sterreich, Ãœber, StraÃŸe", "Österreich, Über, Straße"),
    ("price: Â£5, 20Â°C, Â©\u{A0}2020", "price: £5, 20°C, ©\u{A0}2020"),
    ("ÐŸÑ€Ð¸Ð²ÐµÑ‚, Ð¼Ð¸Ñ€!", "Привет, мир!"),
    ("РџСЂРёРІРµС‚, РјРёСЂ!", "Привет, мир!"),
    ("п÷я─п╦п╡п╣я┌", "Привет"),
    ("╨ƒ╤Ç╨╕╨▓╨╡╤é", "Привет"),
    ("fran├ºais, na├»ve", "français, naïve"),
    ("fran√ßais, na√Øve, ‚Äúoui‚Äù", "français, naïve, “oui”"),
    ("æ—¥æœ¬èªž", "日本語"),
    ("ðŸ˜€ ok", "😀 ok"),
    ("vÃƒÆ’Ã‚Â©lo", "vélo"),
    ("l’Ã©cole", "l’école"),
    ("Â«\u{A0}ouiÂ\u{A0}Â»", "«\u{A0}oui\u{A0}»"),
    ("kÃ¶nnen Ã¼ber", "können über"),
    // Latin-1 mixed into windows-1252.
    ("Ã\u{80} bientÃ´t, itâ\u{80}\u{99}s", "À bientôt, it’s"),
    // Halves of surrogate pairs, from CESU-8.
    ("hi í\u{A0}½í¸\u{80}", "hi 😀"),
    // A byte that strict converters cannot decode was lost. с, э and я have one after Ñ.
    ("â€œquotedâ€\u{FFFD}", "“quoted”"),
    ("ÐºÑ€Ð°Ñ\u{FFFD}Ð½Ñ‹Ð¹", "краÑ\u{FFFD}ный"),
    ("РњРѕСЃРєРІР° Р\u{FFFD} РїРёС‚РµСЂ", "Москва И питер"),
    // Its no-break space became a blank.
    ("voilÃ  le travail", "voilà le travail"),
    ("voilÃ le travail", "voilà le travail"),
    ("Ã la carte, dÃ©jÃ payÃ©", "à la carte, déjà payé"),
    ("atenÃ§Ã£o Ã s crianÃ§as", "atenção às crianças"),
    // Single letters among words that were encoded twice.
    ("Ã\u{90}â€\u{9D}Ã\u{90}Â¾Ã‘Â\u{81}Ã‘â€šÃ‘Æ’Ã\u{90}Â¿ Ã\u{90}Â· Ã‘â€\u{A0}Ã‘â€“Ã‘â€\u{9D}Ã‘â€”", "Доступ з цієї"),
    ("HÃƒÂ£y nhÃ¡Â»â€º kiÃ¡Â»Æ’m tra", "Hãy nhớ kiểm tra"),
    ("Ã«Â\u{8D}Â°Ã¬Â\u{9D}Â´Ã\u{AD}â€žÂ°Ã«Â²Â\u{A0}Ã¬Â\u{9D}Â´Ã¬Å\u{A0}Â¤ Ã¬â€žÅ“Ã«Â²â€žÃ¬â€”Â\u{90} Ã¬â€”Â°ÃªÂ²Â°Ã\u{AD}â€¢Â\u{A0} Ã¬Ë†Ëœ Ã¬â€”â€\u{A0}Ã¬Å\u{A0}ÂµÃ«â€¹Ë†Ã«â€¹Â¤", "데이터베이스 서버에 연결할 수 없습니다"),
    // Drawings that were encoded once.
    ("foo ΓöÇΓöÉ", "foo ─┐"),
    ("a ΓöÇΓöñ", "a ─┤"),
    // Signs among letters that were encoded twice.
    ("turn 90Γö¼Γûæ left", "turn 90° left"),
    ("nΓö¼Γûæ 5 Γö¼ΓûÆ 2", "n° 5 ± 2"),
    ("KaΓòáΓûÆma ba", "Ka̱ma ba"),
    // Ô in ISO-8859-15.
    ("ÃŽle-de-France", "Île-de-France"),
    ("ÃŽnchide", "Închide"),
    // Names of languages.
    ("RomÃ¢nÄƒ", "Română"),
    ("SlovenÄ\u{8D}ina", "Slovenčina"),
    ("Ð‘ÑŠÐ»Ð³Ð°Ñ€Ñ\u{81}ÐºÐ¸", "Български"),
    ("à¤¹à¤¿à¤¨à¥\u{8D}à¤¦à¥€", "हिन्दी"),
    ("ä¸\u{AD}å›½", "中国"),
    // ISO-8859-15. In windows-1252, `ÃŒ` would be Ì.
    ("GrÃŒÃ\u{9F}e fÃŒr ÅœiÅŸek, Å\u{92}uvre, 50 â\u{82}¬", "Grüße für Žižek, Œuvre, 50 €"),
    ("La riviÃšre a gelÃ© prÃšs du chÃ¢teau.", "La rivière a gelé près du château."),
    ("Das StÃŒck kostet spÃ€ter mehr.", "Das Stück kostet später mehr."),
    // ISO-8859-2, part of which differs in windows-1250.
    ("mĂĄ pĹ\u{99}Ă\u{AD}telkynÄ\u{9B}", "má přítelkyně"),
];

/// Sentences with words of one character, numbers, and letters of several scripts.
#[rustfmt::skip]
static ISOLATED: &[&str] = &[
    "2024년 5월 3일, 그 큰 집에 두 명이 더 올 수 있다 (은)는.",
    "2024年5月3日 会議 (第 2 回) は A 棟の 3 階で。",
    "快轉 60 秒 到 Macintosh 在 23 区 的 shell 上。",
    "Ён і я з Мінска, а ў яе 5 « і » у.",
    "Ο Α και η Ω: από 1 ώς 9, ή ό,τι.",
    "Ես և դու՝ 7 օր է, ը՛հ։",
    "Þá fór ég á ísinn; það er ú, ö og þ.",
    "Il a été à l’hôtel où j’ai eu 5 °C, ¿y tú? £3 – ½ €…",
];

/// Lines of which a part is double-encoded, and the same undone.
#[rustfmt::skip]
static PARTS: &[(&str, &str)] = &[
    ("”BLÅ” fÃ¶r alla", "”BLÅ” för alla"),
    ("BLÅ… fÃ¶r", "BLÅ… för"),
    ("BLÅ™ fÃ¶r", "BLÅ™ för"),
    ("SMÅ® fÃ¶r", "SMÅ® för"),
    ("BETÅ° Ã©s szÃ¡m", "BETŰ és szám"),
    // A letter that ends a sound word, a space and a sign are a sequence that lost a no-break space.
    ("Abrió el café «Ã‰xito»", "Abrió el café «Éxito»"),
    ("Иван и «РџСЂРёРІРµС‚»", "Иван и «Привет»"),
    ("piję „Ĺ»ywiec“ z Ĺ‚odzi", "piję „Żywiec“ z łodzi"),
    ("Brontë “Ã‰mile”", "Brontë “Émile”"),
    ("Είναι ο «Ξ•Ξ»Ξ»Ξ¬Ξ΄Ξ±»", "Είναι ο «Ελλάδα»"),
    ("Le café… Ã\u{89}mile est lÃ\u{A0}.", "Le café… Émile est là."),
    ("ATTENTIONÂ\u{A0}! DÃ©jÃ\u{A0}", "ATTENTION\u{A0}! Déjà"),
    // С of windows-1250 is з of ISO-8859-2.
    ("CD-ROM Đˇ Ubuntu", "CD-ROM Đˇ Ubuntu"),
    ("BLÅ’ fÃ¦rge", "BLÅ’ færge"),
    ("1;NESCAFÉ™;stocker à 20Â°C", "1;NESCAFÉ™;stocker à 20°C"),
    ("PÅ™Ã\u{AD}zemÃ\u{AD} DOMÅ®", "Přízemí DOMŮ"),
    ("OÃ¹ est-il dÃ©jÃ\u{A0} ?", "Où est-il déjà ?"),
    ("Müller | CafÃ©", "Müller | Café"),
    ("東京 cafÃ© →", "東京 café →"),
    ("\"Ã©\",\"é\"", "\"é\",\"é\""),
    ("CafÃƒÂ© and thÃ©", "Café and thé"),
    ("é appears as Ã©", "é appears as é"),
    ("2024å¹´5æœˆ3æ—¥ 会議", "2024年5月3日 会議"),
    // Not μ, in macintosh.
    ("23åŒº", "23区"),
    // Not ö and Ý, in ibm437.
    ("├¥a├░ er gott", "það er gott"),
    // Rare, or foreign to the rest.
    ("PELÉ… cafÃ©", "PELÉ… café"),
    ("Привет É… РјРёСЂ", "Привет É… мир"),
    // Two pages.
    ("РџСЂРёРІРµС‚, cafÃ© et crÃªpes", "Привет, café et crêpes"),
    // One line of JSON.
    ("{\"a\":\"JosÃ©\",\"b\":\"naïve\",\"c\":\"voilÃ  5 â‚¬\"}", "{\"a\":\"José\",\"b\":\"naïve\",\"c\":\"voilà 5 €\"}"),
    // ü in windows-1250, or å in iso-8859-2: nothing is undone.
    ("BlĂ¤tter ĂĽber", "BlĂ¤tter ĂĽber"),
    // A sequence of windows-1250 alone decides, or letters of one language.
    ("BlĂ¤tter ĂĽberâ€¦", "Blätter über…"),
    ("LĂĄta mynd lĂ\u{AD}ta Ăşt", "Láta mynd líta út"),
    // A sound word is left where only some of its letters are UTF-8 in the page.
    ("Рівера: РџСЂРёРІС–С‚", "Рівера: Привіт"),
    ("ПЕРЕВІРКА ВСІ РОЗДІЛ: РџСЂРёРІС–С‚", "ПЕРЕВІРКА ВСІ РОЗДІЛ: Привіт"),
    ("новий розділ РџСЂРёРІС–С‚", "новий розділ Привіт"),
    ("нові розділі РџСЂРёРІС–С‚", "нові розділі Привіт"),
    // A sound letter, and the space behind its word, before a misread word.
    ("Un MENÚ Ãºnico", "Un MENÚ único"),
    ("LÀ OÙ Ã©taient", "LÀ OÙ étaient"),
    ("PERÚ Ã©l vive", "PERÚ él vive"),
    ("COMIÓ Ã©tÃ©", "COMIÓ été"),
    ("LUNEDÌ Ã©tÃ©", "LUNEDÌ été"),
    ("ЧЕЛОВЕК ИДЁТ Р”РћРњРћР™", "ЧЕЛОВЕК ИДЁТ ДОМОЙ"),
    ("Он идёт п╢п╬п╪п╬п╧ один.", "Он идёт домой один."),
    ("Самолёт п╩п╣я┌п╦я┌ на юг.", "Самолёт летит на юг."),
    // Sound letters that are a letter of another script in the page.
    ("Мы видели её п╢п╬п╪ вчера.", "Мы видели её дом вчера."),
    ("п╖п╣п╩п╬п╡п╣п╨ любит её.", "Человек любит её."),
    ("To NEMŮŽE být ĹľĂˇdnĂ˝ problém.", "To NEMŮŽE být žádný problém."),
    // Sound quotes.
    ("Витамин «В» РїРѕР»РµР·РµРЅ детям.", "Витамин «В» полезен детям."),
    ("РЎРµРіРѕРґРЅСЏ класс «Д» на выезде.", "Сегодня класс «Д» на выезде."),
    ("Литера «Г» СЃС‚РѕРёС‚ дорого.", "Литера «Г» стоит дорого."),
];

/// Returns the pages in which text may have been misread: single-byte, ASCII-compatible.
fn pages() -> impl Iterator<Item = &'static Encoding> {
    CODECS.iter().filter(|spec| MojibakeUndoer::named(spec).is_some())
}

pub fn page(name: &str) -> MojibakeUndoer {
    MojibakeUndoer::named(Encoding::for_label(name).unwrap()).unwrap()
}

/// Returns `true` if the bytes of a run of the page's characters are UTF-8.
fn reverses(page: &Encoding, text: &str) -> bool {
    let byte = |value| (0x80..=0xFF).find(|&byte| character(page, byte) == Some(value));
    let bytes: Vec<u8> = text.chars().map(|value| byte(value).unwrap_or(b' ')).collect();
    let mut runs = bytes.split(u8::is_ascii);
    runs.any(|run| !run.is_empty() && std::str::from_utf8(run).is_ok())
}

#[test]
fn mojibake_of_a_named_page_is_undone() {
    let mut tried = 0;
    // Rare pages have presentation forms, which no language has.
    for page in pages().filter(|page| page.group == Group::Page) {
        for text in SENTENCES.iter().chain(MEANT).filter(|text| !reverses(page, text)) {
            let mut wrong = (*text).to_owned();
            for times in 1..=3 {
                let Some(next) = misread(page, &wrong) else { break };
                wrong = next;
                let undo = MojibakeUndoer::named(page).unwrap();
                assert_eq!(undone(undo, &wrong), *text, "{times} times {}", page.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 3000, "{tried}");
}

#[test]
fn pieces_name_the_pages_from_the_last_mistake_to_the_first() {
    let text = misread(Encoding::for_label("koi8-r").unwrap(), "naïve").unwrap();
    let text = misread(Encoding::for_label("windows-1252").unwrap(), &text).unwrap();
    let told = told(MojibakeUndoer::likely(), [text.as_bytes()]);
    let pieces: Vec<_> = told.pieces.iter().map(|(.., verdict)| verdict.as_str()).collect();
    assert_eq!(pieces, ["Sound", r#"Undone(["windows-1252", "koi8-r"])"#, "Sound"]);
    assert_eq!(told.text, "naïve".as_bytes());
}

#[test]
fn certain_mojibake_is_undone_without_a_page() {
    for (wrong, right) in CERTAIN {
        assert_eq!(undone(MojibakeUndoer::likely(), wrong), *right);
    }
}

#[test]
fn plausible_text_is_left() {
    for text in MEANT.iter().chain(SENTENCES) {
        assert_eq!(undone(MojibakeUndoer::likely(), text), *text);
        let upper = text.to_uppercase();
        assert_eq!(undone(MojibakeUndoer::likely(), &upper), upper);
    }
    for text in SOUND {
        assert_eq!(undone(MojibakeUndoer::likely(), text), *text);
    }
    let all = [MEANT.join("\n"), SOUND.join("\n"), SENTENCES.join("\n"), SENTENCES.join(" ")];
    for text in all {
        assert_eq!(undone(MojibakeUndoer::likely(), &text), text);
    }
}

/// Returns the sentences, misread in each page that is tried.
fn damaged() -> Vec<(String, &'static str)> {
    let names = [
        "windows-1252",
        "windows-1250",
        "windows-1251",
        "windows-1253",
        "windows-1254",
        "windows-1257",
        "iso-8859-1",
        "iso-8859-2",
        "iso-8859-15",
        "koi8-r",
        "macintosh",
        "ibm437",
        "ibm850",
        "ibm866",
    ];
    let pages = names.map(|name| Encoding::for_label(name).unwrap());
    let texts = ISOLATED.iter().chain(SENTENCES);
    let pairs = texts.flat_map(|text| pages.map(|page| Some((misread(page, text)?, *text))));
    pairs.flatten().collect()
}

#[test]
fn lines_are_undone_whole_or_left() {
    let damaged = damaged();
    let all = damaged.len();
    let mut right_lines = 0;
    for (wrong, right) in damaged {
        let undone = undone(MojibakeUndoer::likely(), &wrong);
        assert!(undone == right || undone == wrong, "{wrong} {undone} {right}");
        right_lines += usize::from(undone == right);
    }
    assert!(all > 300 && right_lines * 10 > all * 8, "{right_lines} of {all}");
}

#[test]
fn parts_of_lines_are_undone() {
    for (wrong, right) in PARTS {
        assert_eq!(undone(MojibakeUndoer::likely(), wrong), *right);
    }
}

/// A line is undone in a file as it is alone.
#[test]
fn other_lines_do_not_matter() {
    let damaged = damaged();
    let lines = damaged.iter().map(|(wrong, _)| wrong.as_str());
    let lines: Vec<_> = lines.chain(CERTAIN.iter().chain(PARTS).map(|(wrong, _)| *wrong)).collect();
    let mut rng = Rng::new(4);
    for _ in 0..100 {
        let lines: Vec<_> = (0..20).map(|_| rng.pick(&lines)).collect();
        let alone = lines.iter().map(|line| undone(MojibakeUndoer::likely(), line));
        let together = undone(MojibakeUndoer::likely(), &lines.join("\n"));
        assert!(together.split('\n').eq(alone), "{lines:?}");
    }
}

/// Where a run of a page is undone, no intact sequence of the page is left in the line unless it is
/// reported.
#[test]
fn sequences_that_are_left_are_reported() {
    let mut rng = Rng::new(5);
    let damaged = damaged();
    let texts: Vec<_> = damaged.iter().map(|(wrong, _)| wrong.as_str()).collect();
    let texts = [&texts[..], MEANT, SENTENCES].concat().join(" ");
    let words: Vec<_> = texts.split(' ').collect();
    let mut sound = 0;
    for _ in 0..3000 {
        let words: Vec<_> = (0..1 + rng.below(5)).map(|_| rng.pick(&words)).collect();
        let text = words.join(" ");
        let told = told(MojibakeUndoer::likely(), [text.as_bytes()]);
        for name in ["windows-1252", "windows-1251", "ibm437", "macintosh"] {
            let by_page = format!("Undone([\"{name}\"])");
            if !told.pieces.iter().any(|(.., verdict)| *verdict == by_page) {
                continue;
            }
            for (start, end, verdict) in &told.pieces {
                let piece = &text[*start as usize..*end as usize];
                if verdict == "Sound" {
                    sound += 1;
                    for intact in piece.replace(' ', "").split('\u{FFFD}') {
                        assert_eq!(undone(page(name), intact), intact, "{text}");
                    }
                }
            }
        }
    }
    assert!(sound > 1000, "{sound}");
}

#[test]
fn sound_words_before_closing_marks_are_left() {
    for text in SENTENCES {
        for mark in ["…", "”", "’", "»", "\u{A0}»", "…”", "—", "–", "®", "™,", "\u{A0}!", "°", "’’"]
        {
            let text = text.replace(' ', &format!("{mark} "));
            assert_eq!(undone(MojibakeUndoer::likely(), &text), text);
        }
    }
}

/// The readings would be U+04EA, U+0372, U+0379 and U+0378, which no text has there.
#[test]
fn marks_that_spell_characters_of_no_text_are_left() {
    for text in
        ["“동”™", "김 “동”™ 김", "“中”™", "HAITÍ²CHILE³", "PERÚ²CHILE³HAITÍ¹CUBA", "ASÍ¸QUE"]
    {
        assert_eq!(undone(MojibakeUndoer::likely(), text), text);
    }
}

/// In Romanian and Portuguese, `Ă` and `Ã` end words. The damaged Swedish word alone is undone.
#[test]
fn marks_behind_words_in_capitals_are_left_where_others_end_alike() {
    for text in ["ACASĂ…MAMĂ", "ACASĂ…MAMĂ LA", "AMANHÃ…IRMÃ."] {
        assert_eq!(undone(MojibakeUndoer::likely(), text), text);
    }
    assert_eq!(undone(MojibakeUndoer::likely(), "SMĂ…LAND"), "SMÅLAND");
}

/// Ideographs stand alone in Korean headlines, and particles follow abbreviations in Latin letters.
#[test]
fn single_characters_in_korean_and_japanese_are_undone() {
    for text in [
        "美 대통령 방한",
        "日 총리, 北 미사일 규탄",
        "金 대표 사퇴 前 장관",
        "이 IP를 이용해 접속",
        "사용자 ID가 필요합니다",
        "ブロックIDが無効です",
    ] {
        for name in ["windows-1252", "windows-1251", "iso-8859-1", "koi8-r", "macintosh", "ibm437"]
        {
            let page = Encoding::for_label(name).unwrap();
            let Some(wrong) = misread(page, text) else { continue };
            assert_eq!(undone(MojibakeUndoer::likely(), &wrong), text, "{name}");
        }
    }
}

/// The readings would be U+067D and U+0670.
#[test]
fn signs_of_units_that_spell_arabic_letters_are_left() {
    for text in ["3 Ω½W", "Ω°C", "20 Ω°C", "1 kΩ½W"] {
        assert_eq!(undone(MojibakeUndoer::likely(), text), text);
    }
}

/// The result is UTF-8 in the page again, of letters that are foreign to the text.
#[test]
fn results_are_not_undone_again_in_a_named_page() {
    for (name, right) in [
        ("ibm866", "Он сам так рад: там тоже есть чем заняться."),
        ("macintosh", "Les élèves de l’école, aujourd’hui – l’été"),
        ("windows-1252", "Die „SPÖ“ und die „FPÖ“ in Österreich"),
    ] {
        let spec = Encoding::for_label(name).unwrap();
        assert!(reverses(spec, right), "{name}");
        let mut wrong = right.to_owned();
        for times in 0..=3 {
            assert_eq!(undone(page(name), &wrong), right, "{times} times {name}");
            wrong = misread(spec, &wrong).unwrap();
        }
    }
}

#[test]
fn splits_do_not_matter() {
    let certain: Vec<_> = CERTAIN.iter().map(|(wrong, _)| *wrong).collect();
    let text = [&certain[..], MEANT, SENTENCES].concat().join("\n");
    let text = text + &certain.join(" ") + &certain.concat();
    for make in [MojibakeUndoer::likely, || page("windows-1252")] {
        let whole = told(make(), [text.as_bytes()]);
        for size in [1, 2, 3, 5, 7, 16, 61, 64, 100, 1000] {
            assert_eq!(told(make(), text.as_bytes().chunks(size)), whole, "{size}");
        }
    }
    for text in certain {
        let whole = told(MojibakeUndoer::likely(), [text.as_bytes()]);
        for at in 0..text.len() {
            let (front, back) = text.as_bytes().split_at(at);
            assert_eq!(told(MojibakeUndoer::likely(), [front, back]), whole, "{text} at {at}");
        }
    }
}

#[test]
fn undoing_is_idempotent() {
    let mut rng = Rng::new(1);
    let certain: Vec<_> = CERTAIN.iter().map(|(wrong, _)| *wrong).collect();
    let parts = [&certain[..], MEANT, SENTENCES].concat();
    let pages: Vec<_> = pages().collect();
    for _ in 0..2000 {
        let mut text: String = (0..3).map(|_| rng.pick(&parts)).collect();
        if let Some(wrong) = misread(rng.pick(&pages), &text) {
            text = wrong;
        }
        let spec = rng.pick(&pages);
        for make in [&MojibakeUndoer::likely as &dyn Fn() -> MojibakeUndoer, &|| {
            MojibakeUndoer::named(spec).unwrap()
        }] {
            let once = undone(make(), &text);
            assert_eq!(undone(make(), &once), once, "{text}");
        }
    }
}

#[test]
fn random_text_is_undone_idempotently_at_any_split() {
    let mut rng = Rng::new(2);
    let known: Vec<char> = ["windows-1252", "windows-1251", "ibm437", "macintosh"]
        .iter()
        .flat_map(|name| {
            (0x80..=0xFF).filter_map(|byte| character(Encoding::for_label(name).unwrap(), byte))
        })
        .chain("aA 1\n\u{FFFD}日".chars())
        .collect();
    for _ in 0..5_000 {
        let text: String = (0..rng.below(12)).map(|_| rng.pick(&known)).collect();
        let whole = told(MojibakeUndoer::likely(), [text.as_bytes()]);
        let size = 1 + rng.below(4);
        assert_eq!(told(MojibakeUndoer::likely(), text.as_bytes().chunks(size)), whole, "{text:?}");
        let once = String::from_utf8(whole.text).unwrap();
        assert_eq!(undone(MojibakeUndoer::likely(), &once), once, "{text:?}");
    }
}

#[test]
fn hostile_bytes_pass_unchanged() {
    let mut rng = Rng::new(3);
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..20).flat_map(|_| rng.pick(HOSTILE)).copied().collect();
        let mut before = Vec::new();
        let mut undo = MojibakeUndoer::likely();
        let mut to = |piece: MojibakePart<'_>| -> Result<(), ()> {
            before.extend_from_slice(piece.before);
            Ok(())
        };
        for part in bytes.chunks(1 + rng.below(30)) {
            undo.feed(part, &mut to).unwrap();
        }
        undo.finish(&mut to).unwrap();
        assert_eq!(before, bytes);
    }
}

#[test]
fn only_single_byte_pages_above_ascii_can_be_named() {
    for name in ["utf-8", "ibm037", "shift_jis", "us-ascii-x"] {
        assert!(
            Encoding::for_label(name).is_none_or(|spec| MojibakeUndoer::named(spec).is_none()),
            "{name}"
        );
    }
    assert!(pages().all(|spec| spec.is_page()) && pages().count() > 30);
}
