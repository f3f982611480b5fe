import type { Area } from '../../../model/cell/area.ts';
import type { BorderLine, Borders, CellFormat, Color } from '../../../model/cell/cell-format.ts';

import type { CellTable, TableCell } from './cell-table.ts';
import { mostPasted } from './paste-options.ts';

/**
 * The table that a piece of HTML is; null where it is none, and where its cells cover more than can be pasted.
 * @param isAll whether there is nothing else to read: then the first table is taken, whatever is beside it
 */
export function readHtml(html: string, isAll: boolean): CellTable | null {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const table = page.querySelector('table');
  if (!table || !(isAll || isAlone(table, page))) return null;
  const classes = classStyles(page);
  const rows: TableCell[][] = [];
  const merges: Area[] = [];
  const taken = new Set<string>();
  let covered = 0;
  for (const [top, row] of [...table.rows].entries()) {
    const cells: TableCell[] = [];
    let left = 0;
    for (const cell of row.cells) {
      while (taken.has(`${top} ${left}`)) cells[left++] = { text: '' };
      cells[left] = readCell(cell, classes);
      // As in a page, no cell is higher than its table; 0 stands for all rows that are left.
      const bottom = Math.min(top + (cell.rowSpan || table.rows.length), table.rows.length) - 1;
      const right = left + Math.max(1, cell.colSpan) - 1;
      covered += (bottom - top + 1) * (right - left + 1);
      if (covered > mostPasted) return null;
      if (bottom > top || right > left) merges.push([top, left, bottom, right]);
      for (let r = top; r <= bottom; r++) for (let c = left; c <= right; c++) taken.add(`${r} ${c}`);
      left++;
    }
    for (; taken.has(`${top} ${left}`); left++) cells[left] = { text: '' };
    rows.push(cells);
  }
  return { rows, merges };
}

/** Whether nothing of a page is read but a table, with none in it. */
function isAlone(table: Element, page: Document): boolean {
  const isStyle = ({ parentElement }: Node) => parentElement?.closest('style, script, title') !== null;
  const texts = page.createNodeIterator(page.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!table.contains(text) && text.nodeValue!.trim() !== '' && !isStyle(text)) return false;
  }
  return page.querySelectorAll('table').length === 1;
}

/** What the style sheet of a copied piece says of its classes, which only a page that is shown would apply. */
function classStyles(page: Document): ReadonlyMap<string, string> {
  const styles = new Map<string, string>();
  for (const sheet of page.querySelectorAll('style')) {
    for (const [, selector = '', body = ''] of (sheet.textContent ?? '').matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
      for (const [, name = ''] of selector.matchAll(/\.([\w-]+)/g)) {
        styles.set(name, `${styles.get(name) ?? ''};${body}`);
      }
    }
  }
  return styles;
}

function readCell(cell: HTMLTableCellElement, classes: ReadonlyMap<string, string>): TableCell {
  const css = [...cell.classList].map((name) => classes.get(name) ?? '');
  const style = `${css.join(';')};${cell.getAttribute('style') ?? ''}`;
  const text = textOf(cell);
  const value = truthOf(cell) ?? numberOf(cell) ?? googleText(cell);
  const format = formatOf(cell, style);
  return {
    text,
    ...(value !== null && { value }),
    ...(Object.keys(format).length > 0 && { format }),
  };
}

/** What is read in a cell: a break for `br` and for paragraphs, one space for the white space of the source. */
function textOf(cell: Element): string {
  const parts: string[] = [];
  const visit = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) parts.push((node.nodeValue ?? '').replace(/[ \t\r\n]+/g, ' '));
    if (!(node instanceof Element)) return;
    if (node.tagName === 'BR') parts.push('\n');
    const isBlock = /^(?:P|DIV|LI)$/.test(node.tagName);
    if (isBlock && parts.length > 0) parts.push('\n');
    for (const child of node.childNodes) visit(child);
  };
  for (const child of cell.childNodes) visit(child);
  return parts
    .join('')
    .replace(/ ?\n ?/g, '\n')
    .replace(/^[ \n]+|(?<![ \n])[ \n]+$/g, '')
    .replaceAll('\u00a0', ' ');
}

/** LibreOffice says truth values as numbers of a format of their own. */
function truthOf(cell: Element): boolean | null {
  const isTruth = /;BOOLEAN$/.test(cell.getAttribute('sdnum') ?? '');
  return isTruth ? Number(cell.getAttribute('sdval')) !== 0 : null;
}

function numberOf(cell: Element): number | null {
  const given = cell.getAttribute('sdval') ?? cell.getAttribute('x:num');
  if (given !== null && given !== '' && Number.isFinite(Number(given))) return Number(given);
  const google = cell.getAttribute('data-sheets-value');
  const found = google === null ? null : /"1":3,"3":(-?[\d.eE+-]+)/.exec(google);
  return found && Number.isFinite(Number(found[1])) ? Number(found[1]) : null;
}

/** What Google Sheets says is text, whatever it looks like. */
function googleText(cell: Element): string | null {
  const given = cell.getAttribute('data-sheets-value');
  if (given === null) return null;
  try {
    const { 1: kind, 2: text } = JSON.parse(given) as { 1?: unknown; 2?: unknown };
    return kind === 2 && typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/** Declarations of CSS by their names. A semicolon in quotes, or behind a backslash, ends none. */
export function declarationsOf(style: string): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  for (const [part] of style.matchAll(/(?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|[^;])+/g)) {
    const colon = part.indexOf(':');
    if (colon > 0) declared.set(part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim());
  }
  return declared;
}

function formatOf(cell: Element, style: string): CellFormat {
  const declared = declarationsOf(style);
  const has = (tag: string) => cell.querySelector(tag) !== null;
  const decoration = declared.get('text-decoration') ?? declared.get('text-decoration-line') ?? '';
  const color = hexOf(declared.get('color'));
  const fill = hexOf(declared.get('background-color') ?? declared.get('background'));
  const isBold = /bold|[6-9]00/.test(declared.get('font-weight') ?? '') || has('b') || has('strong');
  const isItalic = /italic/.test(declared.get('font-style') ?? '') || has('i') || has('em');
  const font = {
    ...(isBold && { bold: true }),
    ...(isItalic && { italic: true }),
    ...((/underline/.test(decoration) || has('u')) && { underline: 'single' as const }),
    ...((/line-through/.test(decoration) || has('s')) && { strike: true }),
    ...(color && color !== '000000' && { color: { rgb: color } satisfies Color }),
    ...fontSizeOf(declared.get('font-size')),
    ...fontNameOf(declared.get('font-family')),
  };
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
  const pattern = /"2":"((?:[^"\\]|\\.)*)"/.exec(json)?.[1];
  if (pattern) return pattern.replaceAll('\\"', '"');
  return googleKinds[/"1":(\d+)/.exec(json)?.[1] ?? ''] ?? null;
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
  return /^(?:general|short date)$/i.test(plain) ? null : (msoNames[plain] ?? plain);
}

/** Names that Excel has for some formats in HTML. */
const msoNames: Readonly<Record<string, string>> = {
  Fixed: '0.00',
  Standard: '#,##0.00',
  Percent: '0.00%',
  Scientific: '0.00E+00',
  'Medium Date': 'dd-mmm-yy',
  'Short Time': 'hh:mm',
};

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
function hexOf(css: string | undefined): string | null {
  if (!css) return null;
  const hex = /#([0-9a-f]{6})\b/i.exec(css)?.[1] ?? /#([0-9a-f]{3})\b/i.exec(css)?.[1]?.replace(/./g, '$&$&');
  if (hex) return hex.toUpperCase();
  const rgb = /rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+))?/.exec(css);
  if (!rgb || rgb[4] === '0') return null;
  return rgb
    .slice(1, 4)
    .map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
