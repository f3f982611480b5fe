//! Values as the caller reads them.
use ironcalc_base::expressions::token::Error;
use ironcalc_base::host;
use ironcalc_base::types::{FormulaValue, SpillValue};

#[derive(Clone, PartialEq)]
pub enum Value {
    /// The bits, so that -0 and 0 are two values.
    Number(u64),
    Text(String),
    Boolean(bool),
    Error(u8),
}

/// The codes of errors, as in `model/calculation/engine-buffers.ts`.
const ERRORS: [Error; 12] = [
    Error::NULL,
    Error::DIV,
    Error::VALUE,
    Error::REF,
    Error::NAME,
    Error::NUM,
    Error::NA,
    Error::SPILL,
    Error::CALC,
    Error::CIRC,
    Error::NIMPL,
    Error::ERROR,
];

fn code_of(error: &Error) -> u8 {
    ERRORS.iter().position(|known| known == error).unwrap_or(2) as u8
}

pub fn error_of(code: u8) -> Error {
    ERRORS.get(code as usize).unwrap_or(&Error::VALUE).clone()
}

/// Added to the code of an error that the cell's own formula has made, and not one that it reads.
const OWN: u8 = 128;

impl Value {
    pub fn of_error(error: &Error) -> Self {
        Value::Error(code_of(error))
    }

    /// Says of errors whether they are the formula's own: that it is circular, that the engine cannot calculate it, or (as `#ERROR!`)
    /// that it takes too long. `failed_itself` says that it is not only what it reads that is so.
    pub fn of_formula(value: &FormulaValue, failed_itself: bool) -> Self {
        match value {
            FormulaValue::Unevaluated => Value::Error(code_of(&Error::ERROR)),
            FormulaValue::Boolean(value) => Value::Boolean(*value),
            FormulaValue::Number(value) => Value::Number(value.to_bits()),
            FormulaValue::Text(value) => Value::Text(value.clone()),
            FormulaValue::Error {
                ei: ei @ (Error::CIRC | Error::NIMPL),
                d,
            } => {
                let ei = if failed_itself && d.m == host::TOO_LONG { &Error::ERROR } else { ei };
                Value::Error(code_of(ei) + if failed_itself { OWN } else { 0 })
            }
            FormulaValue::Error { ei, .. } => Value::Error(code_of(ei)),
        }
    }
}

impl From<&SpillValue> for Value {
    fn from(value: &SpillValue) -> Self {
        match value {
            SpillValue::Boolean(value) => Value::Boolean(*value),
            SpillValue::Number(value) => Value::Number(value.to_bits()),
            SpillValue::Text(value) => Value::Text(value.clone()),
            SpillValue::Error(error) => Value::Error(code_of(error)),
        }
    }
}

/// Cells whose values changed: u32 count, then for each 24 bytes, then the bytes of all texts. The 24 bytes are u32 sheet, row,
/// column and type (0 nothing, 1 number, 2 text, 3 boolean, 4 error), and the value: f64, or u32 start among the texts and u32
/// length in bytes, or u32.
pub struct Changes {
    count: u32,
    records: Vec<u8>,
    texts: Vec<u8>,
}

impl Changes {
    pub fn new() -> Self {
        Changes {
            count: 0,
            records: vec![0; 4],
            texts: Vec::new(),
        }
    }

    pub fn add(&mut self, (sheet, row, column): (u32, i32, i32), value: Option<&Value>) {
        let (kind, bits) = match value {
            None => (0, 0),
            Some(Value::Number(bits)) => (1, *bits),
            Some(Value::Text(text)) => {
                let start = self.texts.len() as u64;
                self.texts.extend_from_slice(text.as_bytes());
                (2, start | ((text.len() as u64) << 32))
            }
            Some(Value::Boolean(value)) => (3, u64::from(*value)),
            Some(Value::Error(code)) => (4, u64::from(*code)),
        };
        for part in [sheet, row as u32, column as u32, kind] {
            self.records.extend_from_slice(&part.to_le_bytes());
        }
        self.records.extend_from_slice(&bits.to_le_bytes());
        self.count += 1;
    }

    pub fn bytes(mut self) -> Vec<u8> {
        self.records[0..4].copy_from_slice(&self.count.to_le_bytes());
        self.records.extend_from_slice(&self.texts);
        self.records
    }
}
