//! BAHTTEXT: an amount in Thai words.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;

const DIGITS: [&str; 10] = ["ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า"];
/// Behind each digit of a number up to a million, from the last one on.
const PLACES: [&str; 6] = ["", "สิบ", "ร้อย", "พัน", "หมื่น", "แสน"];
const MILLION: &str = "ล้าน";
/// Amounts from here on have no satang that a number could tell.
const MOST: f64 = 1e13;

/// A number from 1 up to a million.
fn block(number: u64) -> String {
    let mut words = String::new();
    for place in (0..PLACES.len()).rev() {
        let digit = (number / 10_u64.pow(place as u32) % 10) as usize;
        match (place, digit) {
            (_, 0) => continue,
            (1, 1) => {}
            (1, 2) => words.push_str("ยี่"),
            (0, 1) if number > 1 => words.push_str("เอ็ด"),
            _ => words.push_str(DIGITS[digit]),
        }
        words.push_str(PLACES[place]);
    }
    words
}

fn words(number: u64) -> String {
    let (millions, rest) = (number / 1_000_000, number % 1_000_000);
    let above = if millions > 0 { words(millions) + MILLION } else { String::new() };
    if rest > 0 { above + &block(rest) } else { above }
}

/// Whether a one stands behind nothing but zeros and something larger, for which there are two words.
fn has_two_ways(number: u64) -> bool {
    number > 1 && (number % 100 == 1 || has_two_ways(number / 1_000_000))
}

impl<'a> Model<'a> {
    pub(crate) fn fn_bahttext(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let [arg] = args else { return CalcResult::new_args_number_error(cell) };
        let number = match self.get_number(arg, cell) {
            Ok(number) => number,
            Err(error) => return error,
        };
        let satang = (number.abs() * 100.0 + 1e-6).round();
        let (baht, satang) = (satang as u64 / 100, satang as u64 % 100);
        if number.abs() >= MOST || has_two_ways(baht) {
            return CalcResult::new_error(Error::NIMPL, cell, "There are two ways to say it".to_string());
        }
        let mut text = String::new();
        if number < 0.0 && baht + satang > 0 {
            text.push_str("ลบ");
        }
        text.push_str(&words(baht));
        if baht + satang == 0 {
            text.push_str(DIGITS[0]);
        }
        if baht > 0 || satang == 0 {
            text.push_str("บาท");
        }
        if satang == 0 {
            text.push_str("ถ้วน");
        } else {
            text.push_str(&block(satang));
            text.push_str("สตางค์");
        }
        CalcResult::String(text)
    }
}
