import type { CellFormat, Color } from '../../../model/cell/cell-format.ts';
import type { CellRange } from '../grid/cell-range.ts';
import type { CellLook } from '../grid/shown-sheet.ts';
import type { CellTable, TableCell } from './cell-table.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A cell as it is written into a table of HTML. */
export interface WrittenCell {
  readonly text: string;
  readonly look: CellLook;
  readonly number?: number;
  readonly pattern?: string;
  readonly rowSpan?: number;
  readonly colSpan?: number;
}

/** A table that other programs understand; null stands for a cell that is merged with one before it. */
export function writeHtml(rows: readonly (readonly (WrittenCell | null)[])[]): string {
  const body = rows
    .map((row) => `<tr>${row.map((cell) => (cell ? cellHtml(cell) : '')).join('')}</tr>`)
    .join('\n');
  return `<meta charset="utf-8"><table style="border-collapse:collapse">\n${body}\n</table>`;
}

function cellHtml({ text, look, number, pattern, rowSpan = 1, colSpan = 1 }: WrittenCell): string {
  const { bold, italic, underline, strike, color, family, sizePx } = look.text;
  const lines = [underline !== 'none' && 'underline', strike && 'line-through'].filter(Boolean).join(' ');
  const styles: (string | false)[] = [
    `font-family:${family.replaceAll('"', "'")}`,
    `font-size:${Math.round(sizePx * 75) / 100}pt`,
    bold && 'font-weight:bold',
    italic && 'font-style:italic',
    lines !== '' && `text-decoration:${lines}`,
    color !== null && `color:${color}`,
    look.fill?.kind === 'solid' && `background-color:${look.fill.color}`,
    look.horizontal !== 'general' &&
      /^(?:left|center|right|justify)$/.test(look.horizontal) &&
      `text-align:${look.horizontal}`,
    look.wrap ? 'white-space:pre-wrap' : 'white-space:nowrap',
    pattern !== undefined && pattern !== 'General' && `mso-number-format:'${pattern.replaceAll("'", '')}'`,
  ];
  const attributes = [
    `style="${escaped(styles.filter((style) => style !== false).join(';'))}"`,
    ...(rowSpan > 1 ? [`rowspan="${rowSpan}"`] : []),
    ...(colSpan > 1 ? [`colspan="${colSpan}"`] : []),
    // What LibreOffice and Excel read a number from, whatever its text looks like.
    ...(number === undefined ? [] : [`sdval="${number}"`, `x:num="${number}"`]),
  ];
  return `<td ${attributes.join(' ')}>${escaped(text).replaceAll('\n', '<br>')}</td>`;
}

/** The first table in a piece of HTML; null where there is none. */
export function readHtml(html: string): CellTable | null {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const table = page.querySelector('table');
  if (!table) return null;
  const classes = classStyles(page);
  const rows: TableCell[][] = [];
  const merges: CellRange[] = [];
  const taken = new Set<string>();
  for (const [top, row] of [...table.rows].entries()) {
    const cells: TableCell[] = [];
    let left = 0;
    for (const cell of row.cells) {
      while (taken.has(`${top} ${left}`)) cells[left++] = { text: '' };
      cells[left] = readCell(cell, classes);
      const bottom = top + Math.max(1, cell.rowSpan) - 1;
      const right = left + Math.max(1, cell.colSpan) - 1;
      if (bottom > top || right > left) merges.push({ top, left, bottom, right });
      for (let r = top; r <= bottom; r++) for (let c = left; c <= right; c++) taken.add(`${r} ${c}`);
      left++;
    }
    for (; taken.has(`${top} ${left}`); left++) cells[left] = { text: '' };
    rows.push(cells);
  }
  return { rows, merges };
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
  const number = numberOf(cell);
  const format = formatOf(cell, style);
  return {
    text,
    ...(number !== null && { value: number }),
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
    .replace(/^[ \n]+|[ \n]+$/g, '')
    .replaceAll('\u00a0', ' ');
}

function numberOf(cell: Element): number | null {
  const given = cell.getAttribute('sdval') ?? cell.getAttribute('x:num');
  if (given !== null && given !== '' && Number.isFinite(Number(given))) return Number(given);
  const google = cell.getAttribute('data-sheets-value');
  const found = google === null ? null : /"1":3,"3":(-?[\d.eE+-]+)/.exec(google);
  return found && Number.isFinite(Number(found[1])) ? Number(found[1]) : null;
}

function formatOf(cell: Element, style: string): CellFormat {
  const declared = new Map<string, string>();
  for (const part of style.split(';')) {
    const colon = part.indexOf(':');
    if (colon > 0) declared.set(part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim());
  }
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
  };
  const side = declared.get('text-align') ?? cell.getAttribute('align') ?? '';
  const number = numberFormatOf(cell, declared.get('mso-number-format'));
  return {
    ...(Object.keys(font).length > 0 && { font }),
    ...(fill && fill !== 'FFFFFF' && { fill: { pattern: 'solid', color: { rgb: fill } } }),
    ...(/^(?:left|center|right|justify)$/.test(side) && { align: { horizontal: side as 'left' } }),
    ...(number && { number }),
  };
}

function numberFormatOf(cell: Element, mso: string | undefined): string | null {
  const libre = cell.getAttribute('sdnum')?.split(';').slice(2).join(';');
  if (libre) return libre;
  const google = cell.getAttribute('data-sheets-numberformat');
  const pattern = google === null ? null : /"2":"((?:[^"\\]|\\.)*)"/.exec(google)?.[1];
  if (pattern) return pattern.replaceAll('\\"', '"');
  if (!mso) return null;
  const plain = mso.replace(/^["']|["']$/g, '').replaceAll('\\', '');
  return /^general$/i.test(plain) ? null : (msoNames[plain] ?? plain);
}

/** Names that Excel has for some formats in HTML. */
const msoNames: Readonly<Record<string, string>> = {
  Fixed: '0.00',
  Standard: '#,##0.00',
  Percent: '0.00%',
  Scientific: '0.00E+00',
  'Short Date': 'dd/mm/yyyy',
  'Medium Date': 'dd-mmm-yy',
  'Short Time': 'hh:mm',
};

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
