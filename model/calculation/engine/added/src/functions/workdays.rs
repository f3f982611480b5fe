//! Days between and after others without weekends and holidays, week by week instead of day by day. Days are serial numbers: among
//! these weeks go on without a gap, over the 29 February 1900 too, which there was not.
use crate::host;
use std::collections::HashSet;

/// The days of a week that are no workdays, from Monday.
type Weekend = [bool; 7];

fn is_off(day: i64, weekend: &Weekend) -> bool {
    weekend[host::days_from_monday(day)]
}

fn workdays_in_week(weekend: &Weekend) -> i64 {
    weekend.iter().filter(|off| !**off).count() as i64
}

/// How many workdays there are from a day to another, both of them included.
pub(crate) fn workdays_between(from: i64, to: i64, weekend: &Weekend, holidays: &HashSet<i64>) -> i64 {
    let days = to - from + 1;
    let rest = (0..days % 7).filter(|day| !is_off(from + day, weekend)).count() as i64;
    let off = holidays
        .iter()
        .filter(|day| (from..=to).contains(day) && !is_off(**day, weekend))
        .count() as i64;
    days / 7 * workdays_in_week(weekend) + rest - off
}

/// The day so many workdays after another, or before it; nothing where it is out of all calendars.
pub(crate) fn workday_after(from: i64, days: f64, weekend: &Weekend, holidays: &HashSet<i64>) -> Option<i64> {
    // More than there are days.
    if days.abs() > 1e7 {
        return None;
    }
    let step = if days < 0.0 { -1 } else { 1 };
    let mut left = days.abs() as i64;
    let mut day = from;
    let in_week = workdays_in_week(weekend);
    while left > 0 {
        // Whole weeks are gone over at once; their holidays have to be made up for.
        let weeks = (left - 1) / in_week;
        if weeks > 0 {
            let next = day + weeks * 7 * step;
            let (first, last) = if step > 0 { (day + 1, next) } else { (next, day - 1) };
            left -= workdays_between(first, last, weekend, holidays);
            day = next;
        }
        // Up to the last workday of those that are left now.
        day += step;
        if !is_off(day, weekend) && !holidays.contains(&day) {
            left -= 1;
        }
    }
    Some(day)
}
