import { accepts } from '../../../../model/word/attributes.ts';
import type { WordDocumentJson } from '../../../../model/word/document.ts';
import * as values from '../../../../model/word/values.ts';
import { readablePart } from '../package/related-part.ts';
import { readDetached } from './detached-document.ts';
import type { DocxSource } from './docx-source.ts';

type Notes = WordDocumentJson['footnotes'];

/** Footnotes (17.11.10) or endnotes (17.11.2) by id, without the separators that Word keeps among them. */
export function readNotes(source: DocxSource, kind: 'footnotes' | 'endnotes'): Notes {
  const part = [...source.shownParts.values()].find((one) => one.kind === kind);
  const xml = readablePart(source.package, part?.partName);
  const notes: Notes = {};
  if (!part || xml?.root.name !== `w:${kind}`) return notes;
  for (const element of xml.root.children) {
    const { 'w:id': id, 'w:type': type = 'normal' } = xml.attributes(element);
    const isNote = `${element.name}s` === xml.root.name && type === 'normal';
    if (!isNote || !accepts(values.decimalId, id) || Object.hasOwn(notes, id!)) continue;
    notes[id!] = readDetached(source, part, xml, element).toJSON();
  }
  return notes;
}
