import { ConversionError } from '../../errors.ts';
import { ZipArchive } from '../ooxml/package/zip-archive.ts';

/** The first day that a zip file can name (PKWARE APPNOTE 4.4.6): 1980-01-01, 00:00. */
const firstDay = Buffer.from([0, 0, 0x21, 0]);
const timeInLocalHeader = 10;
const timeInRecord = 12;

/**
 * The same zip file with a fixed time for every entry. x2t writes the time of its run, the only thing in which it differs
 * from the run before: without, the same document and changes give the same bytes (I8). What is no zip file stays as it is.
 */
export function withFixedTimes(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  try {
    for (const { offset, record } of new ZipArchive(copy).entries) {
      firstDay.copy(copy, offset + timeInLocalHeader);
      firstDay.copy(record, timeInRecord);
    }
    return copy;
  } catch (error) {
    if (error instanceof ConversionError) return bytes;
    throw error;
  }
}
