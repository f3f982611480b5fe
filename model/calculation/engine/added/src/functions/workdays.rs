//! Days between and after others without weekends and holidays, week by week instead of day by day.
use chrono::{Datelike, Duration, NaiveDate};
use std::collections::HashSet;

/// The days of a week that are no workdays, from Monday.
type Weekend = [bool; 7];

fn is_off(day: NaiveDate, weekend: &Weekend) -> bool {
    weekend[day.weekday().num_days_from_monday() as usize]
}

fn workdays_in_week(weekend: &Weekend) -> i64 {
    weekend.iter().filter(|off| !**off).count() as i64
}

/// How many workdays there are from a day to another, both of them included.
pub(crate) fn workdays_between(from: NaiveDate, to: NaiveDate, weekend: &Weekend, holidays: &HashSet<NaiveDate>) -> i64 {
    let days = (to - from).num_days() + 1;
    let rest = (0..days % 7).filter(|day| !is_off(from + Duration::days(*day), weekend)).count() as i64;
    let off = holidays
        .iter()
        .filter(|day| (from..=to).contains(day) && !is_off(**day, weekend))
        .count() as i64;
    days / 7 * workdays_in_week(weekend) + rest - off
}

/// The day so many workdays after another, or before it; nothing where it is out of all calendars.
pub(crate) fn workday_after(from: NaiveDate, days: f64, weekend: &Weekend, holidays: &HashSet<NaiveDate>) -> Option<NaiveDate> {
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
            let next = day.checked_add_signed(Duration::days(weeks * 7 * step))?;
            let (first, last) = if step > 0 { (day.succ_opt()?, next) } else { (next, day.pred_opt()?) };
            left -= workdays_between(first, last, weekend, holidays);
            day = next;
        }
        // Up to the last workday of those that are left now.
        day = day.checked_add_signed(Duration::days(step))?;
        if !is_off(day, weekend) && !holidays.contains(&day) {
            left -= 1;
        }
    }
    Some(day)
}
