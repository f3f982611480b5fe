//! Days some months before or after others. As everywhere in the 1900 system, the February of that year has 29 days, and January a day
//! before its first.
use crate::formatter::dates::date_to_serial_number;
use crate::functions::date_and_time::excel_serial_to_ymd;
use crate::host;
use chrono::{Datelike, NaiveDate};

fn days_in(year: i32, month: u32) -> Option<u32> {
    if (year, month) == (1900, 2) && !host::from_1904() {
        return Some(29);
    }
    let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    Some(NaiveDate::from_ymd_opt(next_year, next, 1)?.pred_opt()?.day())
}

/// The same day of another month, or the last one of that month where it has no such day.
pub(crate) fn months_after(serial: i64, months: f64) -> Option<i64> {
    let (year, month, day) = excel_serial_to_ymd(serial)?;
    // More than there are.
    if months.abs() > 1e6 {
        return None;
    }
    let month = i64::from(year) * 12 + i64::from(month - 1) + months as i64;
    let (year, month) = (month.div_euclid(12) as i32, month.rem_euclid(12) as u32 + 1);
    let first = date_to_serial_number(1, month, year).ok()?;
    Some(i64::from(first) - 1 + i64::from(day.min(days_in(year, month)?)))
}
