//! ASC and DBCS (JIS in Japanese): letters, signs and katakana of half and full width.
use crate::calc_result::CalcResult;
use crate::expressions::parser::Node;
use crate::expressions::token::Error;
use crate::expressions::types::CellReferenceIndex;
use crate::model::Model;

/// What U+FF61 to U+FF9F, of half width, are in full width.
const KATAKANA: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜";
/// Letters with a mark, which are two in half width, by the letter without it: the mark of voice, and that of a p.
const VOICED: &str = "ウヴカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボ";
const HALF_VOICED: &str = "ハパヒピフプヘペホポ";

const FIRST_HALF: u32 = 0xFF61;
const VOICE_MARK: char = '\u{FF9E}';
const HALF_VOICE_MARK: char = '\u{FF9F}';
/// From a sign of ASCII to the same one in full width.
const WIDER: u32 = 0xFEE0;

/// The letters of one of these lists in pairs.
fn pairs(letters: &str) -> impl Iterator<Item = (char, char)> + '_ {
    letters.chars().step_by(2).zip(letters.chars().skip(1).step_by(2))
}

fn half_katakana(letter: char) -> Option<char> {
    let place = KATAKANA.chars().position(|one| one == letter)?;
    char::from_u32(FIRST_HALF + place as u32)
}

fn in_half_width(text: &str) -> String {
    let mut narrow = String::with_capacity(text.len());
    for letter in text.chars() {
        let marked = |list, mark| pairs(list).find(|(_, marked)| *marked == letter).map(|(plain, _)| (plain, mark));
        match letter {
            '\u{3000}' => narrow.push(' '),
            '\u{FF01}'..='\u{FF5E}' => narrow.extend(char::from_u32(letter as u32 - WIDER)),
            _ => match marked(VOICED, VOICE_MARK).or_else(|| marked(HALF_VOICED, HALF_VOICE_MARK)) {
                Some((plain, mark)) => narrow.extend(half_katakana(plain).into_iter().chain([mark])),
                None => narrow.push(half_katakana(letter).unwrap_or(letter)),
            },
        }
    }
    narrow
}

/// None where a sign has more than one counterpart: quotation marks, the backslash (a yen sign in Japanese) and the tilde.
fn in_full_width(text: &str) -> Option<String> {
    let mut wide = String::with_capacity(text.len() * 3);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let whole = match letter {
            '"' | '\'' | '`' | '\\' | '~' => return None,
            ' ' => '\u{3000}',
            '!'..='}' => char::from_u32(letter as u32 + WIDER)?,
            '\u{FF61}'..='\u{FF9F}' => KATAKANA.chars().nth((letter as u32 - FIRST_HALF) as usize)?,
            _ => letter,
        };
        let list = match letters.peek() {
            Some(&VOICE_MARK) if whole != letter => VOICED,
            Some(&HALF_VOICE_MARK) if whole != letter => HALF_VOICED,
            _ => "",
        };
        match pairs(list).find(|(plain, _)| *plain == whole) {
            Some((_, marked)) => {
                letters.next();
                wide.push(marked);
            }
            None => wide.push(whole),
        }
    }
    Some(wide)
}

impl<'a> Model<'a> {
    pub(crate) fn fn_asc(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let [text] = args else { return CalcResult::new_args_number_error(cell) };
        self.get_string(text, cell).map_or_else(|error| error, |text| CalcResult::String(in_half_width(&text)))
    }

    pub(crate) fn fn_dbcs(&mut self, args: &[Node], cell: CellReferenceIndex) -> CalcResult {
        let [text] = args else { return CalcResult::new_args_number_error(cell) };
        match self.get_string(text, cell) {
            Ok(text) => in_full_width(&text).map_or_else(
                || CalcResult::new_error(Error::NIMPL, cell, "A sign has more than one counterpart".to_string()),
                CalcResult::String,
            ),
            Err(error) => error,
        }
    }
}
