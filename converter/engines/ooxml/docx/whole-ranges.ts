import { applyEdits, type TextEdit } from '../package/text-edits.ts';

/** An element that begins or ends a range which it names by `w:id` (17.13). */
interface RangeTag {
  readonly isStart: boolean;
  readonly isBookmark: boolean;
  /** Name of what stands in the range, if that is a move. */
  readonly moved: string | undefined;
  readonly start: number;
  readonly end: number;
}

type Pair = readonly [start: RangeTag, end: RangeTag];

/** The tags of one name: those that belong together, and those that lack the other. */
interface NamedRange {
  readonly pairs: Pair[];
  readonly alone: RangeTag[];
}

const TAG =
  /<w:((bookmark|perm|commentRange|moveFromRange|moveToRange)(Start|End))\b((?:"[^"]*"|'[^']*'|[^"'>])*?)(\/?)>/g;
const MOVED: Readonly<Record<string, string>> = { moveFromRange: 'moveFrom', moveToRange: 'moveTo' };
const ID = /\bw:id\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const NO_RANGE: NamedRange = { pairs: [], alone: [] };

/**
 * The main part with whole ranges: each has its start and its end, and stands there once.
 * - When one end of a bookmark was deleted, both stand where the other end is, so that links to it find a place.
 * - Halves of other ranges are taken away, and so are the marks of a move of which nothing is left.
 * - Halves and doubled ranges that the opened file has itself stay.
 */
export function withWholeRanges(written: string, opened: string): string {
  const ranges = rangesIn(written);
  const isWrong = ({ pairs, alone }: NamedRange) =>
    alone.length > 0 || pairs.length > 1 || pairs.some((pair) => isLeft(pair, written));
  if (![...ranges.values()].some(isWrong)) return written;
  const known = rangesIn(opened);
  const edits: TextEdit[] = [];
  const drop = ({ start, end }: RangeTag) => edits.push({ start, end, text: '' });
  for (const [name, { pairs, alone }] of ranges) {
    const before = known.get(name) ?? NO_RANGE;
    for (const pair of pairs.slice(Math.max(1, before.pairs.length))) for (const tag of pair) drop(tag);
    if (!before.pairs.some((pair) => isLeft(pair, opened))) {
      for (const pair of pairs) if (isLeft(pair, written)) for (const tag of pair) drop(tag);
    }
    const surplus = alone.slice(before.alone.length);
    const [first] = surplus;
    const [whole] = before.pairs;
    if (first?.isBookmark && whole && pairs.length === 0) {
      surplus.shift();
      const [start, end] = whole.map((tag) => opened.slice(tag.start, tag.end));
      const place = first.isStart ? first.end : first.start;
      edits.push({ start: place, end: place, text: first.isStart ? end! : start! });
    }
    for (const tag of surplus) drop(tag);
  }
  return applyEdits(written, edits);
}

/** Whether nothing of what was moved is left between the marks of a move. */
function isLeft([{ moved, end }, { start }]: Pair, text: string): boolean {
  return moved !== undefined && !new RegExp(`<w:${moved}[\\s/>]`).test(text.slice(end, start));
}

function rangesIn(text: string): Map<string, NamedRange> {
  const ranges = new Map<string, NamedRange & { readonly open: RangeTag[] }>();
  for (const match of text.matchAll(TAG)) {
    const [whole, element, kind, side, attributes, selfClosing] = match;
    const id = ID.exec(attributes!);
    const name = `${kind} ${id?.[1] ?? id?.[2]}`;
    const close = `</w:${element}>`;
    const openEnd = match.index + whole.length;
    const end = selfClosing === '/' ? openEnd : text.indexOf(close, openEnd) + close.length;
    const tag = {
      isStart: side === 'Start',
      isBookmark: kind === 'bookmark',
      moved: MOVED[kind!],
      start: match.index,
      end,
    };
    const range = ranges.get(name) ?? { pairs: [], alone: [], open: [] };
    ranges.set(name, range);
    const begun = tag.isStart ? undefined : range.open.shift();
    if (tag.isStart) range.open.push(tag);
    else if (begun) range.pairs.push([begun, tag]);
    else range.alone.push(tag);
  }
  for (const { alone, open } of ranges.values()) {
    alone.push(...open);
    alone.sort((one, other) => one.start - other.start);
  }
  return ranges;
}
