import type { TableWrap } from './table-wraps.ts';
import type { WriteContext } from './write-context.ts';

/** A row or cell that is written, and what it was in in the file. */
export interface WrittenPiece {
  readonly xml: string;
  /** Undefined for one that is not of the file. */
  readonly wraps: readonly TableWrap[] | undefined;
  /** Of a new one, those of the one of the file that it was made from. */
  readonly originWraps?: readonly TableWrap[] | undefined;
  readonly lead?: string | undefined;
}

/** Some of the wraps of the file, outermost first, and whether a new item of a repeating section is within them. */
interface Place {
  readonly wraps: readonly TableWrap[];
  readonly isItem: boolean;
}

const REPEATING_SECTION = /<w15:repeatingSection(?=[\s/>])/;
const ITEM_START = '<w:sdt><w:sdtPr><w15:repeatingSectionItem/></w:sdtPr><w:sdtContent>';
const ITEM_END = '</w:sdtContent></w:sdt>';

/**
 * Rows or cells one after the other, in what is around them in the file. Each wrap is written once, around those that
 * stand together; one whose content is gone is not written. What is new between two that share a wrap is in it, too, and
 * a new row of a repeating section ([MS-DOCX] 2.5.5.2) is an item of its own.
 */
export function wrappedXml(context: WriteContext, pieces: readonly WrittenPiece[]): string {
  const open: TableWrap[] = [];
  let result = '';
  const closeDownTo = (count: number) => {
    while (open.length > count) result += open.pop()!.closeXml;
  };
  for (const [index, piece] of pieces.entries()) {
    const { wraps, isItem } = placeOf(pieces, index);
    let common = 0;
    while (common < open.length && open[common] === wraps[common]) common++;
    closeDownTo(common);
    for (const wrap of wraps.slice(common)) {
      // One that was closed is not opened again: what was in it is no neighbour any more.
      if (!context.claim(`wrap ${wrap.element.start}`)) break;
      result += wrap.lead + wrap.openXml;
      open.push(wrap);
    }
    const isInside = isItem && open.length === wraps.length;
    result += (piece.lead ?? '') + (isInside ? ITEM_START + piece.xml + ITEM_END : piece.xml);
  }
  closeDownTo(0);
  return result;
}

function placeOf(pieces: readonly WrittenPiece[], index: number): Place {
  const { wraps, originWraps } = pieces[index]!;
  if (wraps) return { wraps, isItem: false };
  const before = pieces.slice(0, index).findLast((piece) => piece.wraps)?.wraps ?? [];
  const after = pieces.slice(index + 1).find((piece) => piece.wraps)?.wraps ?? [];
  const parting = before.findIndex((wrap, at) => wrap !== after[at]);
  const shared = parting < 0 ? before : before.slice(0, parting);
  const section = originWraps && (originWraps === before || originWraps === after) ? originWraps : shared;
  const depth = section.findLastIndex(({ openXml }) => REPEATING_SECTION.test(openXml)) + 1;
  if (depth === 0 || shared.length > depth) return { wraps: shared, isItem: false };
  return { wraps: section.slice(0, depth), isItem: true };
}
