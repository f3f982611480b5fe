import type { BorderLine, Borders, CellFormat, Color } from '../../../model/cell/cell-format.ts';

/** Declarations of CSS by their names. A semicolon in quotes, or behind a backslash, ends none. */
export function declarationsOf(style: string): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  for (const [part] of style.matchAll(/(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[^;])+/g)) {
    const colon = part.indexOf(':');
    if (colon > 0) declared.set(part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim());
  }
  return declared;
}

/** What is declared beyond this is passed over: no program writes as much for a cell. */
export const mostStyleChars = 4_096;

/** What an element says of its own style. */
export const styleOf = (element: Element): string =>
  (element.getAttribute('style') ?? '').slice(0, mostStyleChars);

/** How a cell looks. @param style all that is declared for it */
export function formatOf(cell: Element, style: string): CellFormat {
  const declared = declarationsOf(style);
  const row = cell.parentElement ? declarationsOf(styleOf(cell.parentElement)) : declared;
  const font = fontOf(cell, declared);
  const fill =
    hexOf(backgroundOf(declared)) ?? hexOf(cell.getAttribute('bgcolor')) ?? hexOf(backgroundOf(row));
  const side = declared.get('text-align') ?? cell.getAttribute('align') ?? '';
  const upright = declared.get('vertical-align') ?? cell.getAttribute('valign') ?? '';
  const align = {
    ...(/^(?:left|center|right|justify)$/.test(side) && { horizontal: side as 'left' }),
    ...(upright === 'top' && { vertical: 'top' as const }),
    ...(upright === 'middle' && { vertical: 'center' as const }),
    ...(/^(?:normal|pre-wrap)$/.test(declared.get('white-space') ?? '') && { wrap: true }),
    ...(/break-word/.test(declared.get('word-wrap') ?? '') && { wrap: true }),
  };
  const border = bordersOf(declared);
  const number = numberFormatOf(cell, declared.get('mso-number-format'));
  return {
    ...(Object.keys(font).length > 0 && { font }),
    ...(fill && fill !== 'FFFFFF' && { fill: { pattern: 'solid', color: { rgb: fill } } }),
    ...(Object.keys(border).length > 0 && { border }),
    ...(Object.keys(align).length > 0 && { align }),
    ...(number && { number }),
  };
}

const backgroundOf = (declared: ReadonlyMap<string, string>): string | undefined =>
  declared.get('background-color') ?? declared.get('background');

function fontOf(cell: Element, declared: ReadonlyMap<string, string>): NonNullable<CellFormat['font']> {
  const isIn = (tags: string) => coversAll(cell, tags);
  const weight = declared.get('font-weight');
  const decoration = declared.get('text-decoration') ?? declared.get('text-decoration-line') ?? '';
  const font = isIn('font') ? cell.querySelector('font') : null;
  const color = hexOf(declared.get('color')) ?? hexOf(font?.getAttribute('color'));
  const isBold =
    (weight === undefined ? cell.tagName === 'TH' : /bold|[6-9]00/.test(weight)) || isIn('b, strong');
  return {
    ...(isBold && { bold: true }),
    ...((/italic/.test(declared.get('font-style') ?? '') || isIn('i, em')) && { italic: true }),
    ...((/underline/.test(decoration) || isIn('u')) && { underline: 'single' as const }),
    ...((/line-through/.test(decoration) || isIn('s, strike, del')) && { strike: true }),
    ...(color && color !== '000000' && { color: { rgb: color } satisfies Color }),
    ...fontSizeOf(declared.get('font-size')),
    ...fontNameOf(declared.get('font-family') ?? font?.getAttribute('face') ?? undefined),
  };
}

/** Whether all text of a cell stands within such elements: a word in bold letters makes no bold cell. */
function coversAll(cell: Element, tags: string): boolean {
  if (!cell.querySelector(tags)) return false;
  const texts = cell.ownerDocument.createNodeIterator(cell, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const within = text.parentElement?.closest(tags);
    if (text.nodeValue!.trim() !== '' && !(within && cell.contains(within))) return false;
  }
  return true;
}

function numberFormatOf(cell: Element, mso: string | undefined): string | null {
  const libre = cell.getAttribute('sdnum')?.split(';').slice(2).join(';');
  if (libre) return libre === 'BOOLEAN' ? null : libre;
  const google = cell.getAttribute('data-sheets-numberformat');
  const pattern = google === null ? null : readGoogleFormat(google);
  if (pattern) return pattern;
  if (!mso) return null;
  return readMsoFormat(mso);
}

/** A number format as Google Sheets says it: with its pattern, or by its kind alone where it is the usual one; null for none. */
export function readGoogleFormat(json: string): string | null {
  const { 1: kind, 2: pattern } = readGoogle(json);
  if (typeof pattern === 'string' && pattern !== '') return pattern;
  return googleKinds[String(kind)] ?? null;
}

/** What Google Sheets says in an attribute, by its numbers; nothing for anything else. */
export function readGoogle(json: string | null): Readonly<Record<number, unknown>> {
  if (json === null) return {};
  try {
    return (JSON.parse(json) as Readonly<Record<number, unknown>> | null) ?? {};
  } catch {
    return {};
  }
}

/** Kinds whose pattern goes by the language there: days are written so that nobody takes one for another. */
const googleKinds: Readonly<Record<string, string>> = {
  3: '0.00%',
  5: 'yyyy-mm-dd',
  6: 'hh:mm:ss',
  7: 'yyyy-mm-dd hh:mm:ss',
  8: '0.00E+00',
};

/** A number format as Excel writes it into CSS: signs behind backslashes, some of them by their numbers. */
export function readMsoFormat(css: string): string | null {
  const plain = css
    .replace(/^["']|["']$/g, '')
    .replace(/\\([0-9a-f]{4}) ?|\\([\s\S])/gi, (_, code: string | undefined, sign: string) =>
      code === undefined ? sign : String.fromCharCode(Number.parseInt(code, 16)),
    );
  // A short date has the order of days and months of the other program: its text says which.
  return /^(?:general|short date)$/i.test(plain) ? null : (msoNames.get(plain) ?? plain);
}

/** Names that Excel has for some formats in HTML. */
const msoNames: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    Fixed: '0.00',
    Standard: '#,##0.00',
    Percent: '0.00%',
    Scientific: '0.00E+00',
    'Medium Date': 'dd-mmm-yy',
    'Short Time': 'hh:mm',
  }),
);

/** In points, as CSS says it in points or pixels. */
function fontSizeOf(css: string | undefined): { size?: number } {
  const found = /^([\d.]+)(pt|px)$/.exec(css ?? '');
  const points = found ? Number(found[1]) * (found[2] === 'px' ? 0.75 : 1) : 0;
  return points >= 1 && points <= 409 ? { size: Math.round(points * 2) / 2 } : {};
}

function fontNameOf(css: string | undefined): { name?: string } {
  const first =
    css
      ?.split(',')[0]
      ?.trim()
      .replace(/^["']|["']$/g, '') ?? '';
  return /^[\p{L}\d][\p{L}\d -]{0,63}$/u.test(first) && !genericFonts.includes(first) ? { name: first } : {};
}

const genericFonts = ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'inherit', 'initial', 'auto'];

/** The lines around a cell, from all sides at once or one by one. */
export function bordersOf(declared: ReadonlyMap<string, string>): Borders {
  const lines: { [Side in 'top' | 'right' | 'bottom' | 'left']?: BorderLine } = {};
  for (const side of ['top', 'right', 'bottom', 'left'] as const) {
    const line = lineOf(declared.get(`border-${side}`) ?? declared.get('border') ?? '');
    if (line) lines[side] = line;
  }
  return lines;
}

function lineOf(css: string): BorderLine | null {
  const kind = /\b(?:solid|dashed|dotted|double|hairline)\b/.exec(css)?.[0];
  const width = /([\d.]+)(pt|px)/.exec(css);
  const points = width ? Number(width[1]) * (width[2] === 'px' ? 0.75 : 1) : 0.75;
  if (!kind || points === 0) return null;
  const color = hexOf(css);
  const style =
    kind === 'double' || kind === 'dotted'
      ? kind
      : kind === 'dashed'
        ? points > 1
          ? 'mediumDashed'
          : 'dashed'
        : kind === 'hairline'
          ? 'hair'
          : points >= 2
            ? 'thick'
            : points > 0.8
              ? 'medium'
              : 'thin';
  return { style, ...(color && color !== '000000' && { color: { rgb: color } }) };
}

/** `RRGGBB` of what CSS may say; null for what it does not say. */
function hexOf(css: string | null | undefined): string | null {
  if (!css) return null;
  const hex = /#([0-9a-f]{6})\b/i.exec(css)?.[1] ?? /#([0-9a-f]{3})\b/i.exec(css)?.[1]?.replace(/./g, '$&$&');
  if (hex) return hex.toUpperCase();
  const rgb = /rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+))?/.exec(css);
  if (!rgb)
    return (
      namedColors.get(
        css
          .toLowerCase()
          .match(/[a-z]+/g)
          ?.find((word) => namedColors.has(word)) ?? '',
      ) ?? null
    );
  if (rgb[4] === '0') return null;
  return rgb
    .slice(1, 4)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** Colours by the names that Excel writes. */
const namedColors: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ black: '000000', white: 'FFFFFF', red: 'FF0000', lime: '00FF00', blue: '0000FF', yellow: 'FFFF00' },
    ...{ aqua: '00FFFF', cyan: '00FFFF', fuchsia: 'FF00FF', magenta: 'FF00FF', silver: 'C0C0C0' },
    ...{ gray: '808080', grey: '808080', maroon: '800000', olive: '808000', green: '008000' },
    ...{ teal: '008080', navy: '000080', purple: '800080', orange: 'FFA500' },
  }),
);
