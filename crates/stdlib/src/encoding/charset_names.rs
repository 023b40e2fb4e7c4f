//! Registered names of character encodings, and tables of code pages, which the encoding library lacks.

/// The way in which an encoding is encoded and decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EncodingKind {
    /// Every byte below 128 is the character of the same number.
    Ascii,
    /// Every byte is the character of the same number.
    Latin1,
    /// 16-bit units after a byte order mark.
    Utf16,
    /// 16-bit units, most significant byte first.
    Utf16Be,
    /// 16-bit units, least significant byte first.
    Utf16Le,
    /// The library has the encoding under this name. Under other names it has supersets of the encodings, as browsers do.
    Library(&'static str),
    /// The characters of all bytes, or of the bytes from 128 on if there are 128 characters.
    Table(&'static str),
}

use EncodingKind::{Ascii, Latin1, Library, Table, Utf16, Utf16Be, Utf16Le};

/// The registered names of each encoding, the usual name first. Case is ignored.
pub(super) const CHARSETS: &[(&[&str], EncodingKind)] = &[
    (
        &[
            "US-ASCII",
            "iso-ir-6",
            "ANSI_X3.4-1968",
            "ANSI_X3.4-1986",
            "ISO_646.irv:1991",
            "ISO646-US",
            "us",
            "IBM367",
            "cp367",
            "csASCII",
        ],
        Ascii,
    ),
    (
        &[
            "ISO-8859-1",
            "ISO_8859-1:1987",
            "iso-ir-100",
            "ISO_8859-1",
            "latin1",
            "l1",
            "IBM819",
            "CP819",
            "csISOLatin1",
        ],
        Latin1,
    ),
    (
        &["ISO-8859-2", "ISO_8859-2:1987", "iso-ir-101", "ISO_8859-2", "latin2", "l2", "csISOLatin2"],
        Library("ISO-8859-2"),
    ),
    (
        &["ISO-8859-3", "ISO_8859-3:1988", "iso-ir-109", "ISO_8859-3", "latin3", "l3", "csISOLatin3"],
        Library("ISO-8859-3"),
    ),
    (
        &["ISO-8859-4", "ISO_8859-4:1988", "iso-ir-110", "ISO_8859-4", "latin4", "l4", "csISOLatin4"],
        Library("ISO-8859-4"),
    ),
    (
        &["ISO-8859-5", "ISO_8859-5:1988", "iso-ir-144", "ISO_8859-5", "cyrillic", "csISOLatinCyrillic"],
        Library("ISO-8859-5"),
    ),
    (
        &[
            "ISO-8859-6",
            "ISO_8859-6:1987",
            "iso-ir-127",
            "ISO_8859-6",
            "ECMA-114",
            "ASMO-708",
            "arabic",
            "csISOLatinArabic",
        ],
        Library("ISO-8859-6"),
    ),
    (
        &[
            "ISO-8859-7",
            "ISO_8859-7:1987",
            "iso-ir-126",
            "ISO_8859-7",
            "ELOT_928",
            "ECMA-118",
            "greek",
            "greek8",
            "csISOLatinGreek",
        ],
        Library("ISO-8859-7"),
    ),
    (
        &["ISO-8859-8", "ISO_8859-8:1988", "iso-ir-138", "ISO_8859-8", "hebrew", "csISOLatinHebrew"],
        Library("ISO-8859-8"),
    ),
    (
        &["ISO-8859-9", "ISO_8859-9:1989", "iso-ir-148", "ISO_8859-9", "latin5", "l5", "csISOLatin5"],
        Table(ISO_8859_9),
    ),
    (
        &["ISO-8859-10", "iso-ir-157", "l6", "ISO_8859-10:1992", "csISOLatin6", "latin6"],
        Library("ISO-8859-10"),
    ),
    (&["Shift_JIS", "MS_Kanji", "csShiftJIS"], Library("Shift_JIS")),
    (&["EUC-JP", "Extended_UNIX_Code_Packed_Format_for_Japanese", "csEUCPkdFmtJapanese"], Library("EUC-JP")),
    (&["EUC-KR", "csEUCKR"], Library("EUC-KR")),
    (&["ISO-2022-JP", "csISO2022JP"], Library("ISO-2022-JP")),
    (&["ISO_8859-6-E", "csISO88596E", "ISO-8859-6-E"], Library("ISO-8859-6")),
    (&["ISO_8859-6-I", "csISO88596I", "ISO-8859-6-I"], Library("ISO-8859-6")),
    (&["ISO_8859-8-E", "csISO88598E", "ISO-8859-8-E"], Library("ISO-8859-8")),
    (&["ISO_8859-8-I", "csISO88598I", "ISO-8859-8-I"], Library("ISO-8859-8")),
    (&["UTF-8", "csUTF8"], Library("UTF-8")),
    (&["ISO-8859-13", "csISO885913"], Library("ISO-8859-13")),
    (
        &[
            "ISO-8859-14",
            "iso-ir-199",
            "ISO_8859-14:1998",
            "ISO_8859-14",
            "latin8",
            "iso-celtic",
            "l8",
            "csISO885914",
        ],
        Library("ISO-8859-14"),
    ),
    (&["ISO-8859-15", "ISO_8859-15", "Latin-9", "csISO885915"], Library("ISO-8859-15")),
    (
        &["ISO-8859-16", "iso-ir-226", "ISO_8859-16:2001", "ISO_8859-16", "latin10", "l10", "csISO885916"],
        Library("ISO-8859-16"),
    ),
    (&["GBK", "CP936", "MS936", "windows-936", "csGBK"], Library("GBK")),
    (&["GB18030", "csGB18030"], Library("GB18030")),
    (&["UTF-16BE", "csUTF16BE"], Utf16Be),
    (&["UTF-16LE", "csUTF16LE"], Utf16Le),
    (&["UTF-16", "csUTF16"], Utf16),
    (&["IBM850", "cp850", "850", "csPC850Multilingual"], Table(IBM850)),
    (&["IBM862", "cp862", "862", "csPC862LatinHebrew"], Table(IBM862)),
    (&["Big5", "csBig5"], Library("Big5")),
    (&["macintosh", "mac", "csMacintosh"], Library("macintosh")),
    (
        &["IBM037", "cp037", "ebcdic-cp-us", "ebcdic-cp-ca", "ebcdic-cp-wt", "ebcdic-cp-nl", "csIBM037"],
        Table(IBM037),
    ),
    (&["IBM437", "cp437", "437", "csPC8CodePage437"], Table(IBM437)),
    (&["IBM852", "cp852", "852", "csPCp852"], Table(IBM852)),
    (&["IBM855", "cp855", "855", "csIBM855"], Table(IBM855)),
    (&["IBM860", "cp860", "860", "csIBM860"], Table(IBM860)),
    (&["IBM863", "cp863", "863", "csIBM863"], Table(IBM863)),
    (&["IBM865", "cp865", "865", "csIBM865"], Table(IBM865)),
    (&["KOI8-R", "csKOI8R"], Library("KOI8-R")),
    (&["IBM866", "cp866", "866", "csIBM866"], Library("IBM866")),
    (&["KOI8-U", "csKOI8U"], Library("KOI8-U")),
    (&["IBM00858", "CCSID00858", "CP00858", "PC-Multilingual-850+euro", "csIBM00858"], Table(IBM00858)),
    (&["IBM01140", "CCSID01140", "CP01140", "ebcdic-us-37+euro", "csIBM01140"], Table(IBM01140)),
    (&["IBM1047", "IBM-1047", "csIBM1047"], Table(IBM1047)),
    (&["windows-874", "cswindows874"], Library("windows-874")),
    (&["windows-1250", "cswindows1250"], Library("windows-1250")),
    (&["windows-1251", "cswindows1251"], Library("windows-1251")),
    (&["windows-1252", "cswindows1252"], Library("windows-1252")),
    (&["windows-1253", "cswindows1253"], Library("windows-1253")),
    (&["windows-1254", "cswindows1254"], Library("windows-1254")),
    (&["windows-1255", "cswindows1255"], Library("windows-1255")),
    (&["windows-1256", "cswindows1256"], Library("windows-1256")),
    (&["windows-1257", "cswindows1257"], Library("windows-1257")),
    (&["windows-1258", "cswindows1258"], Library("windows-1258")),
];

const IBM037: &str = "\
    \u{0}\u{1}\u{2}\u{3}\u{9c}\u{9}\u{86}\u{7f}\u{97}\u{8d}\u{8e}\u{b}\u{c}\u{d}\u{e}\u{f}\u{10}\u{11}\u{12}\u{13}\u{9d}\u{85}\u{8}\u{87}\u{18}\u{19}\u{92}\u{8f}\u{1c}\u{1d}\u{1e}\u{1f}\
    \u{80}\u{81}\u{82}\u{83}\u{84}\u{a}\u{17}\u{1b}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{5}\u{6}\u{7}\u{90}\u{91}\u{16}\u{93}\u{94}\u{95}\u{96}\u{4}\u{98}\u{99}\u{9a}\u{9b}\u{14}\u{15}\u{9e}\u{1a}\
    \u{20}\u{a0}âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);¬\
    -/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"\
    Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤\
    µ~stuvwxyz¡¿ÐÝÞ®^£¥·©§¶¼½¾[]¯¨´×\
    {ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\
    \\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ\u{9f}";

const IBM437: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

const IBM850: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

const IBM852: &str = "\
    ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č\
    áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
    └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀\
    ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}";

const IBM855: &str = "\
    ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪ\
    аАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐\
    └┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀\
    ЯрРсСтТуУжЖвВьЬ№\u{ad}ыЫзЗшШэЭщЩчЧ§■\u{a0}";

const IBM00858: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

const IBM860: &str = "\
    ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧Ó\
    áíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

const IBM862: &str = "\
    אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

const IBM863: &str = "\
    ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ\
    ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

const IBM865: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

const IBM1047: &str = "\
    \u{0}\u{1}\u{2}\u{3}\u{9c}\u{9}\u{86}\u{7f}\u{97}\u{8d}\u{8e}\u{b}\u{c}\u{d}\u{e}\u{f}\u{10}\u{11}\u{12}\u{13}\u{9d}\u{85}\u{8}\u{87}\u{18}\u{19}\u{92}\u{8f}\u{1c}\u{1d}\u{1e}\u{1f}\
    \u{80}\u{81}\u{82}\u{83}\u{84}\u{a}\u{17}\u{1b}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{5}\u{6}\u{7}\u{90}\u{91}\u{16}\u{93}\u{94}\u{95}\u{96}\u{4}\u{98}\u{99}\u{9a}\u{9b}\u{14}\u{15}\u{9e}\u{1a}\
    \u{20}\u{a0}âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);^\
    -/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"\
    Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤\
    µ~stuvwxyz¡¿Ð[Þ®¬£¥·©§¶¼½¾Ý¨¯]´×\
    {ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\
    \\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ\u{9f}";

const IBM01140: &str = "\
    \u{0}\u{1}\u{2}\u{3}\u{9c}\u{9}\u{86}\u{7f}\u{97}\u{8d}\u{8e}\u{b}\u{c}\u{d}\u{e}\u{f}\u{10}\u{11}\u{12}\u{13}\u{9d}\u{85}\u{8}\u{87}\u{18}\u{19}\u{92}\u{8f}\u{1c}\u{1d}\u{1e}\u{1f}\
    \u{80}\u{81}\u{82}\u{83}\u{84}\u{a}\u{17}\u{1b}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{5}\u{6}\u{7}\u{90}\u{91}\u{16}\u{93}\u{94}\u{95}\u{96}\u{4}\u{98}\u{99}\u{9a}\u{9b}\u{14}\u{15}\u{9e}\u{1a}\
    \u{20}\u{a0}âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);¬\
    -/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"\
    Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ€\
    µ~stuvwxyz¡¿ÐÝÞ®^£¥·©§¶¼½¾[]¯¨´×\
    {ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\
    \\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ\u{9f}";

const ISO_8859_9: &str = "\
    \u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
    \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß\
    àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ";
