import { overLimit } from '../errors.ts';
import { ContentCount } from './content-count.ts';
import { checkPicture } from './picture-size.ts';
import type { SourceLimits } from './source-limits.ts';
import { isXml, XmlGuard } from './xml-guard.ts';
import { checkZip, isZip } from './zip-check.ts';

/** So much of an XML file is looked at in one go, bytes. */
const stepBytes = 1_048_576;

/**
 * Looks at a file before any engine does, and refuses what is made to exhaust or mislead the programs that read it: what
 * unpacks to too much, names that lead out of a package, entities that multiply or name other files, elements that are
 * nested too deeply or too many, pictures, tables and sheets of absurd sizes. Nothing is unpacked in memory but packages in packages.
 * Content of binary formats and pictures written as text are not looked into: the limits on processes hold those.
 * What was counted is returned.
 * @throws ConversionError limits, corrupted, or unknownFormat (packages that our zip reader cannot read)
 */
export async function checkSource(bytes: Uint8Array, limits: SourceLimits): Promise<ContentCount> {
  if (isZip(bytes)) return checkZip(bytes, limits);
  if (isXml(bytes)) return checkXml(bytes, limits);
  checkPicture(bytes, limits);
  return new ContentCount(limits);
}

async function checkXml(bytes: Uint8Array, limits: SourceLimits): Promise<ContentCount> {
  if (bytes.length > limits.unpackedBytes) throw overLimit('the file is too large');
  const count = new ContentCount(limits);
  const guard = new XmlGuard(bytes, count);
  for (let at = 0; at < bytes.length; at += stepBytes) {
    guard.read(bytes.subarray(at, at + stepBytes));
    await new Promise(setImmediate);
  }
  return count;
}
