//! The names of months and days in the language that a number format names (`[$-416]mmmm`).
use crate::locale::{get_default_locale, get_locale, Dates};
use std::sync::OnceLock;

/// In which language a format writes names.
#[derive(Clone, Copy, Default)]
pub(crate) enum Language {
    /// In that of the workbook.
    #[default]
    Own,
    Named(&'static Dates),
    /// In one whose names are not known here.
    Unnamed,
    /// By a calendar or with digits that are not known here.
    Unknown,
}

/// A language: its tag, months, months in short, days from Sunday on, and days in short.
type Names = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// Languages with names by the Common Locale Data Repository, and months in short as spreadsheets have them. Those in which a month
/// has one name beside a day and another one alone are not among them.
const NAMES: &[Names] = &[
    (
        "da",
        "januar februar marts april maj juni juli august september oktober november december",
        "jan feb mar apr maj jun jul aug sep okt nov dec",
        "søndag mandag tirsdag onsdag torsdag fredag lørdag",
        "søn man tir ons tor fre lør",
    ),
    (
        "de",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
        "So Mo Di Mi Do Fr Sa",
    ),
    (
        "es",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
        "domingo lunes martes miércoles jueves viernes sábado",
        "dom lun mar mié jue vie sáb",
    ),
    (
        "hu",
        "január február március április május június július augusztus szeptember október november december",
        "jan febr márc ápr máj jún júl aug szept okt nov dec",
        "vasárnap hétfő kedd szerda csütörtök péntek szombat",
        "V H K Sze Cs P Szo",
    ),
    (
        "ja",
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日",
        "日 月 火 水 木 金 土",
    ),
    (
        "ko",
        "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
        "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
        "일요일 월요일 화요일 수요일 목요일 금요일 토요일",
        "일 월 화 수 목 금 토",
    ),
    (
        "nl",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
        "zo ma di wo do vr za",
    ),
    (
        "nb",
        "januar februar mars april mai juni juli august september oktober november desember",
        "jan feb mar apr mai jun jul aug sep okt nov des",
        "søndag mandag tirsdag onsdag torsdag fredag lørdag",
        "søn man tir ons tor fre lør",
    ),
    (
        "pt",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "jan fev mar abr mai jun jul ago set out nov dez",
        "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
        "dom seg ter qua qui sex sáb",
    ),
    (
        "sv",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "jan feb mar apr maj jun jul aug sep okt nov dec",
        "söndag måndag tisdag onsdag torsdag fredag lördag",
        "sön mån tis ons tors fre lör",
    ),
    (
        "tr",
        "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
        "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara",
        "Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi",
        "Paz Pzt Sal Çar Per Cum Cmt",
    ),
    (
        "zh",
        "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
        "星期日 星期一 星期二 星期三 星期四 星期五 星期六",
        "周日 周一 周二 周三 周四 周五 周六",
    ),
];

/// Numbers of languages in Windows, without the country.
const TAGS: &[(u32, &str)] = &[
    (0x06, "da"),
    (0x07, "de"),
    (0x09, "en"),
    (0x0a, "es"),
    (0x0c, "fr"),
    (0x0e, "hu"),
    (0x10, "it"),
    (0x11, "ja"),
    (0x12, "ko"),
    (0x13, "nl"),
    (0x14, "nb"),
    (0x16, "pt"),
    (0x1d, "sv"),
    (0x1f, "tr"),
    (0x7f, "en"),
];

const CHINESE_OF_CHINA: u32 = 0x0804;

/// A language by its number in Windows, before which may stand those of a calendar and of digits, or by its tag (`de-DE`).
pub(crate) fn language_of(name: &str) -> Language {
    let number = u32::from_str_radix(name, 16).ok().filter(|_| name.len() > 2);
    let Some(number) = number else {
        return names_of(name.split(['-', ',']).next().unwrap_or_default());
    };
    let (digits, calendar, language) = (number >> 24, (number >> 16) & 0xff, number & 0xffff);
    // Digits of the region and of Europe, and the calendar of Pope Gregory as several regions write it.
    if digits > 1 || !matches!(calendar, 0..=2 | 9..=12) {
        return Language::Unknown;
    }
    // The long day and the time of the system, and no language at all.
    if language & 0x3ff == 0 || language == 0xf800 || language == 0xf400 {
        return Language::Own;
    }
    if language == CHINESE_OF_CHINA {
        return names_of("zh");
    }
    let tag = TAGS.iter().find(|(id, _)| *id == language & 0x3ff);
    tag.map_or(Language::Unnamed, |(_, tag)| names_of(tag))
}

fn names_of(tag: &str) -> Language {
    static DATES: OnceLock<Vec<(&str, Dates)>> = OnceLock::new();
    let further = DATES.get_or_init(|| NAMES.iter().map(dates_of).collect());
    if let Some((_, dates)) = further.iter().find(|(of, _)| *of == tag) {
        return Language::Named(dates);
    }
    get_locale(tag).map_or(Language::Unnamed, |locale| Language::Named(&locale.dates))
}

fn dates_of((tag, months, months_short, days, days_short): &Names) -> (&'static str, Dates) {
    let list = |names: &str| names.split(' ').map(str::to_string).collect();
    let mut dates = get_default_locale().dates.clone();
    dates.months = list(months);
    dates.months_short = list(months_short);
    dates.day_names = list(days);
    dates.day_names_short = list(days_short);
    (tag, dates)
}
