//! Groups of encodings.

/// A group of encodings in listings.
///
/// ```
/// use utf8::{Encoding, Group};
///
/// let groups = ["utf-8", "utf-16le", "koi8-r", "ibm037", "gbk", "json"]
///     .map(|name| Encoding::for_label(name).unwrap().group);
/// let [family, units, page, ebcdic, east_asia, notation] = groups;
/// assert_eq!((family, units, page), (Group::Family, Group::Units, Group::Page));
/// assert_eq!((ebcdic, east_asia, notation), (Group::Ebcdic, Group::EastAsia, Group::Notation));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// UTF-8 and its variants.
    Family,
    /// Other transformation formats of ISO/IEC 10646.
    Transformation,
    /// Code units of two or four bytes.
    Units,
    /// Common single-byte code pages.
    Page,
    /// Rare single-byte code pages.
    RarePage,
    /// EBCDIC code pages.
    Ebcdic,
    /// Seven-bit sets other than ASCII.
    SevenBit,
    /// Multi-byte sets of East Asia in the WHATWG Encoding Standard.
    EastAsia,
    /// Other multi-byte sets of East Asia.
    RareEastAsia,
    /// Sets in which an accent or a vowel sign is a byte before its letter.
    FloatingAccents,
    /// Text that spells code points.
    Notation,
}

impl Group {
    /// Returns `true` for single-byte code pages.
    ///
    /// ```
    /// use utf8::Encoding;
    ///
    /// let [koi8, gbk] = ["koi8-r", "gbk"].map(|name| Encoding::for_label(name).unwrap());
    /// assert!(koi8.group.is_page() && !gbk.group.is_page());
    /// ```
    pub const fn is_page(self) -> bool {
        matches!(self, Group::Page | Group::RarePage | Group::Ebcdic | Group::SevenBit)
    }

    /// Returns `true` for multi-byte sets of East Asia.
    ///
    /// ```
    /// use utf8::Encoding;
    ///
    /// let [koi8, gbk] = ["koi8-r", "gbk"].map(|name| Encoding::for_label(name).unwrap());
    /// assert!(gbk.group.is_east_asian() && !koi8.group.is_east_asian());
    /// ```
    pub const fn is_east_asian(self) -> bool {
        matches!(self, Group::EastAsia | Group::RareEastAsia)
    }

    /// Returns `true` for code pages and multi-byte sets that are rare.
    ///
    /// ```
    /// use utf8::Encoding;
    ///
    /// let [koi8, ebcdic] = ["koi8-r", "ibm037"].map(|name| Encoding::for_label(name).unwrap());
    /// assert!(ebcdic.group.is_rare() && !koi8.group.is_rare());
    /// ```
    pub const fn is_rare(self) -> bool {
        match self {
            Group::RarePage
            | Group::Ebcdic
            | Group::SevenBit
            | Group::RareEastAsia
            | Group::FloatingAccents => true,
            Group::Family
            | Group::Transformation
            | Group::Units
            | Group::Page
            | Group::EastAsia
            | Group::Notation => false,
        }
    }
}
