import { ConversionError } from '../../errors.ts';
import type { X2tEngine } from './x2t-engine.ts';

/** Whether a PDF may be encrypted: what its trailer says then (ISO 32000-1, 7.5.5). */
export const mayBeEncrypted = (pdf: Uint8Array): boolean => Buffer.from(pdf).includes('/Encrypt');

/**
 * An encrypted PDF without its encryption. x2t does not say that a password is missing or wrong: it hands the file on
 * as it is, and makes nothing of its pages. A file that is protected against changes only can be read without.
 * @throws ConversionError passwordRequired, wrongPassword
 */
export async function readablePdf(
  x2t: X2tEngine,
  bytes: Uint8Array,
  password: string | undefined,
): Promise<Uint8Array> {
  const source = { bytes, fileType: 'pdf', options: { password } };
  if (password === undefined) {
    const text = Buffer.from(await x2t.convert(source, 'txt')).toString();
    if (text.trim() !== '') return bytes;
    throw new ConversionError('passwordRequired', 'the file is protected by a password');
  }
  const opened = await x2t.convert(source, 'pdf');
  if (Buffer.compare(opened, bytes) !== 0) return opened;
  throw new ConversionError('wrongPassword', 'the password is not the right one');
}
