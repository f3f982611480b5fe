import type { DocumentModel } from '../db/document-row.ts';
import { detectOffice } from './engines/ooxml/detect.ts';
import { opensForEditing, savedType } from './engines/x2t/formats.ts';
import { CONVERSION_ERROR } from './errors.ts';

/** Formats that can be opened, and for each the names under which the same kind of package goes. */
const namesOfKind: Readonly<Record<string, readonly string[]>> = {
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
};

/** Kinds of content that x2t opens by what they are, whatever they are called. */
const ownKinds: ReadonlySet<string> = new Set(['doc', 'xls', 'ppt', 'rtf']);

/** What a source is, or why it cannot be opened; `message` is safe to show. */
export type SourceCheck = { fileType: string } | { errorCode: number; message: string };

/**
 * Finds out what a source is by its content as well as by its name. The name decides among formats that share a
 * package (docx and docm); where name and content disagree, the content is right. In the binary form also what else x2t
 * opens is accepted, and x2t decides whether it is what its name says.
 */
export function checkSource(bytes: Uint8Array, namedType: string, model: DocumentModel): SourceCheck {
  const kind = detectOffice(bytes);
  const isBinary = model === 'binary';
  if (isBinary && namedType === 'xlsb' && kind === 'xlsx') return { fileType: namedType };
  const names = namesOfKind[kind];
  if (names) return { fileType: names.includes(namedType) ? namedType : names[0]! };
  if (kind === 'ole-encrypted' && isBinary) {
    return { fileType: opensForEditing(namedType) ? namedType : 'docx' };
  }
  if (kind === 'ole-encrypted') {
    return { errorCode: CONVERSION_ERROR.passwordRequired, message: 'The file is protected by a password' };
  }
  const isNamedOffice = Object.values(namesOfKind).flat().includes(namedType);
  if (kind === 'broken-zip' || (kind === 'unknown' && isNamedOffice)) {
    return { errorCode: CONVERSION_ERROR.corrupted, message: 'The file is damaged' };
  }
  if (isBinary && ownKinds.has(kind)) return { fileType: kind };
  if (isBinary && opensForEditing(namedType) && !isNamedOffice) return { fileType: namedType };
  return {
    errorCode: CONVERSION_ERROR.unknownFormat,
    message: `Files of this kind (${kind}) cannot be opened`,
  };
}

/** The type of the file in which changes to a document are saved: its own where an engine writes that. */
export function typeOfSaved(model: DocumentModel | null, fileType: string): string {
  return (model === 'binary' && savedType(fileType)) || fileType;
}
