import { detectOffice } from './engines/ooxml/detect.ts';
import { CONVERSION_ERROR } from './errors.ts';

/** Formats that can be opened, and for each the names under which the same kind of package goes. */
const namesOfKind: Readonly<Record<string, readonly string[]>> = {
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
};

/** What a source is, or why it cannot be opened; `message` is safe to show. */
export type SourceCheck = { fileType: string } | { errorCode: number; message: string };

/**
 * Finds out what a source is by its content as well as by its name. The name decides among formats that share a
 * package (docx and docm); where name and content disagree, the content is right.
 */
export function checkSource(bytes: Uint8Array, namedType: string): SourceCheck {
  const kind = detectOffice(bytes);
  const names = namesOfKind[kind];
  if (names) return { fileType: names.includes(namedType) ? namedType : names[0]! };
  if (kind === 'ole-encrypted') {
    return { errorCode: CONVERSION_ERROR.passwordRequired, message: 'The file is protected by a password' };
  }
  const isNamedOffice = Object.values(namesOfKind).flat().includes(namedType);
  if (kind === 'broken-zip' || (kind === 'unknown' && isNamedOffice)) {
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  return {
    errorCode: CONVERSION_ERROR.unknownFormat,
    message: `Files of this kind (${kind}) cannot be opened`,
  };
}
