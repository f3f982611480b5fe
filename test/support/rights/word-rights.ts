import { strFromU8, unzipSync } from 'fflate';
import type { Breach } from './judge.ts';

/** The rights with which somebody may change a part of a text document. */
export type Restriction = 'comment' | 'review' | 'fill';

/** A character of a document, a break of a paragraph, or a control, with what it is in. */
interface Piece {
  readonly text: string;
  readonly format: string;
  readonly inserted: boolean;
  readonly deleted: boolean;
  readonly inControl: boolean;
  /** Stands for the beginning of something that is no text. */
  readonly isMarker: boolean;
}

/**
 * Judges a file by the one it was made of, read as XML and by no code of the model: who may comment leaves all texts,
 * formats and tracks as they are; of what a reviewer did nothing is left when all tracked changes are rejected; who fills in
 * leaves everything outside of controls.
 */
export function judgeWord(right: Restriction, before: Uint8Array, after: Uint8Array): Breach[] {
  const [was, is] = [before, after].map((bytes) => seen(right, piecesOf(bytes)));
  if (was === is) return [];
  return [{ kind: 'log', what: `with the right to ${right} the text became ${JSON.stringify(is)}` }];
}

function seen(right: Restriction, pieces: readonly Piece[]): string {
  switch (right) {
    case 'comment':
      return pieces
        .map(
          ({ text, format, inserted, deleted }) =>
            `${text}${inserted ? '+' : ''}${deleted ? '-' : ''}${format}`,
        )
        .join('');
    case 'review':
      return textOf(pieces.filter(({ inserted }) => !inserted));
    case 'fill':
      return textOf(pieces.filter(({ inControl }) => !inControl));
  }
}

/** Characters and breaks; of links and controls themselves nothing is said by these rights. */
const textOf = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ isMarker }) => !isMarker)
    .map(({ text }) => text)
    .join('');

const token = /<(\/?)(w:[A-Za-z]+)([^>]*?)(\/?)>|([^<]+)/g;
const markers = new Set(['w:drawing', 'w:fldSimple', 'w:hyperlink', 'w:tbl']);
/** What holds properties: no text of the document, whatever is in it. */
const properties = new Set([
  'w:pPr',
  'w:rPr',
  'w:sectPr',
  'w:sdtPr',
  'w:tblPr',
  'w:trPr',
  'w:tcPr',
  'w:tblGrid',
]);

function piecesOf(docx: Uint8Array): Piece[] {
  const xml = strFromU8(unzipSync(docx)['word/document.xml']!).replace(/^[\s\S]*?<w:body[^>]*>/, '');
  const pieces: Piece[] = [];
  const open: string[] = [];
  let format = '';
  let paragraph = '';
  let isMarkInserted = false;
  const isIn = (...names: string[]) => names.some((name) => open.includes(name));
  const put = (text: string, more: Partial<Piece> = {}) => {
    const [inserted, deleted] = [isIn('w:ins', 'w:moveTo'), isIn('w:del', 'w:moveFrom')];
    pieces.push({
      text,
      format,
      inserted,
      deleted,
      inControl: isIn('w:sdtContent'),
      isMarker: false,
      ...more,
    });
  };
  for (const [whole, end, name, attributes = '', alone, text] of xml.matchAll(token)) {
    if (text !== undefined) {
      if (isIn('w:t', 'w:delText')) for (const character of unescaped(text)) put(character);
    } else if (isIn('w:pPr') && name !== 'w:pPr') {
      if (name === 'w:ins' && !end) isMarkInserted = true;
      paragraph += whole;
    } else if (isIn('w:rPr') && name !== 'w:rPr') {
      format += whole;
    } else if (end) {
      open.splice(open.lastIndexOf(name!));
      if (name === 'w:p') put('\n', { format: paragraph, inserted: isMarkInserted });
    } else {
      if (name === 'w:p') [paragraph, isMarkInserted] = ['', false];
      if (name === 'w:r') format = '';
      if (name === 'w:sdt') put('\ufffc', { isMarker: true });
      if (name === 'w:tab' || name === 'w:br') put(name === 'w:tab' ? '\t' : '\v');
      else if (markers.has(name!)) put(`<${name}${attributes}>`, { isMarker: true });
      if (!alone) open.push(name!);
      else if (name === 'w:p') put('\n', { format: '' });
    }
    if (end && name !== undefined && properties.has(name) && open.at(-1) === name) open.pop();
  }
  return pieces;
}

function unescaped(text: string): string {
  const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => names[name] ?? whole);
}
