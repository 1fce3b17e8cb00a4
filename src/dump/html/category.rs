//! What do the two letters of a category stand for?

/// The name of a General_Category: Unicode, table 4-4. Nothing for what is none.
pub(super) fn name(category: &str) -> &'static str {
    match category {
        "Lu" => "uppercase letter",
        "Ll" => "lowercase letter",
        "Lt" => "titlecase letter",
        "Lm" => "modifier letter",
        "Lo" => "other letter",
        "Mn" => "nonspacing mark",
        "Mc" => "spacing mark",
        "Me" => "enclosing mark",
        "Nd" => "decimal digit",
        "Nl" => "letter number",
        "No" => "other number",
        "Pc" => "connector punctuation",
        "Pd" => "dash punctuation",
        "Ps" => "open punctuation",
        "Pe" => "close punctuation",
        "Pi" => "initial quotation mark",
        "Pf" => "final quotation mark",
        "Po" => "other punctuation",
        "Sm" => "math symbol",
        "Sc" => "currency symbol",
        "Sk" => "modifier symbol",
        "So" => "other symbol",
        "Zs" => "space separator",
        "Zl" => "line separator",
        "Zp" => "paragraph separator",
        "Cc" => "control",
        "Cf" => "format character",
        "Cs" => "surrogate",
        "Co" => "private use",
        "Cn" => "not assigned",
        _ => "",
    }
}
