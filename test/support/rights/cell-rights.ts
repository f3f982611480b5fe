import { strFromU8, unzipSync } from 'fflate';
import type { Breach } from './judge.ts';

/** The rights with which somebody may change a part of a workbook, or everything but what others see and may write. */
export type CellRestriction = 'comment' | 'review' | 'fill' | 'keep';

/** In whose name nobody comments. */
export const stranger = 'Somebody who is not here';

/** Parts that hold comments, or lead to them. */
const ofComments = /comments|persons?\/|vmlDrawing|\.rels$|^\[Content_Types\]\.xml$/i;
/** What protects and filters. */
const rules =
  /<row [^>]*hidden="1"|<(sheetProtection|protectedRanges|autoFilter|workbookProtection)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g;

/**
 * Judges a workbook by the one it was made of, read as XML and by no code of the model: who may comment leaves everything beside
 * comments as it is, who may review or fill in everything, and from whom protecting and filtering is kept leaves all that does either.
 */
export function judgeCells(right: CellRestriction, before: Uint8Array, after: Uint8Array): Breach[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  const signed = Object.entries(is).find(([, xml]) => xml?.includes(stranger));
  if (signed) return [{ kind: 'takeover', what: `${signed[0]} has a comment in the name of somebody else` }];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const other = [...names].filter((name) => seen(right, name, was[name]) !== seen(right, name, is[name]));
  return other.map((name) => {
    const said = seen(right, name, is[name])?.slice(0, 400);
    return { kind: 'log', what: `with the right to ${right} ${name} became ${JSON.stringify(said)}` };
  });
}

const partsOf = (bytes: Uint8Array): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]));

/** What of a part must stay; undefined: nothing. */
function seen(right: CellRestriction, name: string, xml: string | undefined): string | undefined {
  if (xml === undefined) return undefined;
  if (right === 'keep') return [...xml.matchAll(rules)].map(([element]) => element).join('') || undefined;
  if (right !== 'comment') return xml;
  return ofComments.test(name) ? undefined : xml.replace(/<legacyDrawing\b[^>]*\/>/, '');
}
