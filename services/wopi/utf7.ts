/** What stands for itself (RFC 2152, sets D and O but for the backslash and tilde, and blanks). */
const direct = /[A-Za-z0-9'(),\-./:? !"#$%&*;<=>@[\]^_`{|}]/;

/** Text in UTF-7 (RFC 2152), the form in which names travel in headers of WOPI. */
export function encodeUtf7(text: string): string {
  let encoded = '';
  let shifted = '';
  const flush = () => {
    if (shifted === '') return;
    const bytes = Buffer.from(shifted, 'utf16le').swap16();
    encoded += `+${bytes.toString('base64').replace(/=+$/, '')}-`;
    shifted = '';
  };
  for (const unit of text.split('')) {
    if (direct.test(unit)) {
      flush();
      encoded += unit;
    } else if (unit === '+' && shifted === '') encoded += '+-';
    else shifted += unit;
  }
  flush();
  return encoded;
}
