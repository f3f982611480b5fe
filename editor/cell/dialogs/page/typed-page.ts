import type { Area } from '../../../../model/cell/area.ts';
import type { PageSetup } from '../../../../model/cell/workbook.ts';
import { linesOf, type PrintedParts } from '../../commands/page-setup.ts';
import { readAreas } from '../../commands/ruled-areas.ts';

import { fieldText } from '../field-text.ts';
import { headerParts, textOfParts } from './header-text.ts';

type Margins = NonNullable<PageSetup['margins']>;

export const sides = ['top', 'bottom', 'left', 'right', 'header', 'footer'] as const;
export const printFlags = ['gridlines', 'headings', 'centersHorizontally', 'centersVertically'] as const;
const cmPerInch = 2.54;
/** Inches, as Excel begins with. */
const usualMargins: Margins = { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75, header: 0.3, footer: 0.3 };

/** The margin at a side in centimetres, as it is shown. */
export const shownMargin = ({ margins = usualMargins }: PageSetup, side: keyof Margins): string =>
  String(Number((margins[side] * cmPerInch).toFixed(2)));

/** The margin that somebody means: what is shown for it is rounded, and one that is left as it was stays so. */
function typedMargin(before: PageSetup, side: keyof Margins, text: string): number {
  if (Number(text) === Number(shownMargin(before, side))) return (before.margins ?? usualMargins)[side];
  return Number((Number(text) / cmPerInch).toFixed(4));
}

/** A size on paper is given in percent, or a sheet is fitted to pages. */
export type Scaling = 'scale' | 'fit';

/** What of a sheet is printed. */
interface PrintedRanges {
  /** Absent: it stays, wherever others have moved it. */
  readonly area?: readonly Area[];
  readonly titles?: { readonly rows: Area | null; readonly columns: Area | null };
}

/** What of a sheet is printed by the fields of a form that nobody has left as they were; or the text of what is wrong with them. */
export function typedRanges(
  fields: FormData,
  before: PrintedParts,
): PrintedRanges | 'ruleDialogs.noRange' | 'ruleDialogs.noLines' {
  const [area, rows, columns] = ['area', 'rows', 'columns'].map((name) => fieldText(fields, name)) as [
    string,
    string,
    string,
  ];
  const areas = area === '' ? [] : readAreas(area);
  if (!areas) return 'ruleDialogs.noRange';
  const lines = {
    rows: rows === '' ? null : linesOf(rows, 'row'),
    columns: columns === '' ? null : linesOf(columns, 'column'),
  };
  if ((rows !== '' && !lines.rows) || (columns !== '' && !lines.columns)) return 'ruleDialogs.noLines';
  return {
    ...(area !== before.area && { area: areas }),
    ...((rows !== before.rows || columns !== before.columns) && { titles: lines }),
  };
}

/** How a sheet is printed by the fields of a form, and how it was before. */
export function typedPage(fields: FormData, scaling: Scaling, before: PageSetup): PageSetup {
  const text = (name: string) => fieldText(fields, name);
  const whole = (name: string) => Math.max(0, Math.round(Number(text(name)) || 0));
  const header = textOfParts(headerParts.map((part) => text(`header-${part}`)));
  const footer = textOfParts(headerParts.map((part) => text(`footer-${part}`)));
  return {
    orientation: text('orientation') as 'portrait',
    paper: Number(text('paper')),
    ...(scaling === 'fit'
      ? { fitsTo: { width: whole('wide'), height: whole('tall') } }
      : { scalePercent: Math.min(400, Math.max(10, whole('scale') || 100)) }),
    margins: Object.fromEntries(
      sides.map((side) => [side, typedMargin(before, side, text(side))]),
    ) as unknown as Margins,
    ...Object.fromEntries(printFlags.filter((flag) => fields.has(flag)).map((flag) => [flag, true])),
    ...(header !== '' && { header }),
    ...(footer !== '' && { footer }),
  };
}
