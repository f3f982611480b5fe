//! Numbers and texts in little-endian order; a text is its length in bytes (u32) and its bytes in UTF-8.

pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let taken = &self.bytes[self.at..self.at + length];
        self.at += length;
        taken
    }

    fn fixed<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N));
        bytes
    }

    pub fn u8(&mut self) -> u8 {
        self.take(1)[0]
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.fixed())
    }

    pub fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.fixed())
    }

    pub fn text(&mut self) -> String {
        let length = self.u32() as usize;
        String::from_utf8_lossy(self.take(length)).into_owned()
    }
}
