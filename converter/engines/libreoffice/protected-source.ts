import { ConversionError } from '../../errors.ts';
import { detectOffice } from '../ooxml/package/office-kind.ts';

/** `headerToken` of the current user of an encrypted presentation ([MS-PPT] 2.3.2), as it lies in a file. */
const ENCRYPTED_SLIDES = Buffer.from('dfc4d1f3', 'hex');

const HEADER_BYTES = 512;
const SMALL_SECTOR_BYTES = 64;
/** Versions that a text says it was written as, of Word 97 and later. */
const TEXT_VERSIONS = { first: 0xc0, last: 0x112 };
const TEXT_MAGIC = 0xa5ec;
const FLAGS_AT = 10;
const ENCRYPTED_FLAG = 0x0100;

/** Records of workbooks ([MS-XLS] 2.3): each has its type and the length of what follows, in two bytes each. */
const RECORD_HEADER_BYTES = 4;
const BEGIN_RECORD = 0x0809;
const PASSWORD_RECORD = 0x002f;
/** What may be between them says that the file is for reading, or a template. */
const RECORDS_BEFORE_PASSWORD = 4;

/** Ciphers of agile encryption ([MS-OFFCRYPTO] 2.3.4.10) that LibreOffice opens: bits of the key, bytes of the hash. */
const openedCiphers: readonly (readonly [keyBits: string, hashBytes: string])[] = [
  ['128', '20'],
  ['256', '64'],
];

/**
 * Whether a source is protected by a password of which LibreOffice does not ask itself.
 * @throws ConversionError when it is and there is no password, or when LibreOffice cannot open it with one
 */
export function isProtected(bytes: Uint8Array, password: string | undefined): boolean {
  const kind = detectOffice(bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isEncrypted =
    kind === 'ole-encrypted' ||
    (kind === 'ppt' && buffer.includes(ENCRYPTED_SLIDES)) ||
    (kind === 'doc' && isEncryptedText(buffer));
  if (!isEncrypted) return false;
  if (password === undefined) {
    throw new ConversionError('passwordRequired', 'the file is protected by a password');
  }
  if (kind === 'ppt' || !hasOpenedCipher(buffer)) {
    throw new ConversionError('protected', 'the file is protected in a way that LibreOffice cannot open');
  }
  return true;
}

/**
 * The block at the beginning of a text says whether it is encrypted ([MS-DOC] 2.5.2); streams begin at sectors, small
 * ones at smaller sectors.
 */
function isEncryptedText(buffer: Buffer): boolean {
  for (let at = HEADER_BYTES; at + FLAGS_AT + 2 <= buffer.length; at += SMALL_SECTOR_BYTES) {
    const version = buffer.readUInt16LE(at + 2);
    const isText = version >= TEXT_VERSIONS.first && version <= TEXT_VERSIONS.last;
    if (buffer.readUInt16LE(at) !== TEXT_MAGIC || !isText) continue;
    return (buffer.readUInt16LE(at + FLAGS_AT) & ENCRYPTED_FLAG) !== 0;
  }
  return false;
}

/**
 * Whether one of the first records of a workbook says that the others are encrypted, in whichever way ([MS-XLS] 2.4.117). LibreOffice
 * asks for the password itself where it knows the way, and opens what is encrypted by the password that every program knows.
 */
export function isEncryptedWorkbook(bytes: Uint8Array): boolean {
  if (detectOffice(bytes) !== 'xls') return false;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = HEADER_BYTES; at + RECORD_HEADER_BYTES <= buffer.length; at += SMALL_SECTOR_BYTES) {
    if (buffer.readUInt16LE(at) === BEGIN_RECORD && hasPasswordRecord(buffer, at)) return true;
  }
  return false;
}

function hasPasswordRecord(buffer: Buffer, beginning: number): boolean {
  let at = beginning;
  for (let left = RECORDS_BEFORE_PASSWORD; left > 0; left -= 1) {
    at += RECORD_HEADER_BYTES + buffer.readUInt16LE(at + 2);
    if (at + RECORD_HEADER_BYTES > buffer.length) return false;
    if (buffer.readUInt16LE(at) === PASSWORD_RECORD) return true;
  }
  return false;
}

/** Encryption that describes itself in XML is agile; the older one LibreOffice opens always. */
function hasOpenedCipher(buffer: Buffer): boolean {
  const start = buffer.indexOf('<keyData ');
  if (start < 0) return true;
  const keyData = buffer.toString('latin1', start, buffer.indexOf('>', start));
  const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(keyData)?.[1];
  return openedCiphers.some(
    ([keyBits, hashBytes]) => attribute('keyBits') === keyBits && attribute('hashSize') === hashBytes,
  );
}
