import { type Layout, webTable } from '../../formats/conversion.ts';
import { usualMargins, usualPageSize, usualScale } from '../usual-options.ts';
import type { OfficeStep } from './office-task.ts';
import { isPlain } from './plain-text.ts';

/** Types, beside plain text, whose files do not say how large a page is. */
const withoutPages = new Set(['fb2', 'slk', 'xml', webTable]);
/** Types whose files may give the paper in a rule for pages (CSS Paged Media, `@page`). */
const withRules = new Set(['html', 'htm']);

/** Where one prints on Letter (Unicode CLDR, `paperSize`); everywhere else it is A4. */
const onLetter = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));

/** Hundredths of a millimetre. */
const a4 = { width: 21_000, height: 29_700 };
const letter = { width: 21_590, height: 27_940 };

/** Whether a file leaves open on which paper it is. */
export function saysNoPaper(type: string, source: Uint8Array): boolean {
  if (withRules.has(type)) return !Buffer.from(source).includes('@page');
  return isPlain(type) || withoutPages.has(type);
}

/** The paper of a region such as `en-US`; A4 where none is said. */
export function paperIn(region: string | undefined): OfficeStep {
  const country = region?.split('-')[1] ?? '';
  return { kind: 'paper', ...(onLetter.has(country.toUpperCase()) ? letter : a4) };
}

const hundredthMm: Readonly<Record<string, number>> = {
  mm: 100,
  cm: 1_000,
  in: 2_540,
  pt: 2_540 / 72,
  pc: 2_540 / 6,
  px: 2_540 / 96,
};

/** The complete page layout of spreadsheets, with the documented defaults. */
export function sheetLayout(given: Layout): OfficeStep {
  const page = { ...usualPageSize, ...(given.pageSize as Layout | undefined) };
  const margins = { ...usualMargins, ...(given.margins as Layout | undefined) };
  const [width, height] = [lengthOf(page.width), lengthOf(page.height)];
  const isLandscape = given.orientation === 'landscape';
  // Sizes are those of the paper in portrait.
  const turned = isLandscape && width < height;
  return {
    kind: 'sheet-layout',
    landscape: isLandscape,
    width: turned ? height : width,
    height: turned ? width : height,
    left: lengthOf(margins.left),
    right: lengthOf(margins.right),
    top: lengthOf(margins.top),
    bottom: lengthOf(margins.bottom),
    scale: given.scale ?? usualScale,
    pagesWide: given.fitToWidth ?? 0,
    pagesHigh: given.fitToHeight ?? 0,
    headings: given.headings === true,
    gridLines: given.gridLines === true,
    ignorePrintAreas: given.ignorePrintArea !== false,
  };
}

/** A length with its unit in hundredths of a millimetre. */
function lengthOf(text: unknown): number {
  const [, number, unit] = /^([\d.]+)\s?([a-z]{2})$/.exec(String(text)) ?? [];
  const factor = unit === undefined ? undefined : hundredthMm[unit];
  if (factor === undefined) throw new Error(`${String(text)} is no length`);
  return Math.round(Number(number) * factor);
}
