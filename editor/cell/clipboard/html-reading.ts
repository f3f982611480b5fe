import type { Area } from '../../../model/cell/area.ts';
import { isSafeAddress, linkFont } from '../commands/links.ts';
import type { CellTable, TableCell } from './cell-table.ts';
import { declarationsOf, formatOf, mostStyleChars, readGoogle, styleOf } from './html-format.ts';
import { mostPasted } from './paste-options.ts';

/** As long as addresses are that programs open. */
const mostAddressChars = 2_000;

/**
 * The table that a piece of HTML is, or the one link; null where it is none, and where its cells cover more than can be pasted.
 * @param isAll whether there is nothing else to read: then the first table is taken, whatever is beside it
 */
export function readHtml(html: string, isAll: boolean): CellTable | null {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const table = page.querySelector('table');
  if (!table) return aloneLink(page);
  if (!(isAll || isAlone(table, page))) return null;
  const classes = classStyles(page);
  const rows: TableCell[][] = [];
  const merges: Area[] = [];
  const taken = new Set<string>();
  let covered = 0;
  const lines = [...table.rows].filter(isSeen);
  for (const [top, row] of lines.entries()) {
    const cells: TableCell[] = [];
    let left = 0;
    for (const cell of row.cells) {
      while (taken.has(`${top} ${left}`)) cells[left++] = { text: '' };
      cells[left] = readCell(cell, classes);
      // As in a page, no cell is higher than its table; 0 stands for all rows that are left.
      const bottom = Math.min(top + (cell.rowSpan || lines.length), lines.length) - 1;
      const right = left + Math.max(1, cell.colSpan) - 1;
      covered += (bottom - top + 1) * (right - left + 1);
      if (covered > mostPasted) return null;
      if ((bottom > top || right > left) && !isOverflow(cell)) merges.push([top, left, bottom, right]);
      for (let r = top; r <= bottom; r++) for (let c = left; c <= right; c++) taken.add(`${r} ${c}`);
      left++;
    }
    for (; taken.has(`${top} ${left}`); left++) cells[left] = { text: '' };
    rows.push(cells);
  }
  return { rows, merges };
}

/** Excel ends a table with a row that is not shown, for the widths of its columns. */
const isSeen = (row: HTMLTableRowElement): boolean =>
  declarationsOf(styleOf(row)).get('display') !== 'none' || row.textContent?.trim() !== '';

/** Whether a text of Excel is longer than its cell: then it spans those beside it, and is not merged with them. */
const isOverflow = (cell: Element): boolean =>
  /\bcolspan\b/.test(declarationsOf(styleOf(cell)).get('mso-ignore') ?? '');

/** A piece of a page that is a link and nothing else; null for any other. */
function aloneLink(page: Document): CellTable | null {
  const [link, ...others] = page.querySelectorAll('a[href]');
  if (!link || others.length > 0) return null;
  const text = textOf(link);
  const address = addressOf(page.body, text);
  if (address === null || !/^.+$/.test(text) || text !== textOf(page.body)) return null;
  return { rows: [[{ text, format: { font: linkFont }, link: { address } }]], merges: [] };
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
    for (const rule of (sheet.textContent ?? '').split('}')) {
      const [selector = '', body = ''] = rule.split('{');
      for (const [, name = ''] of selector.matchAll(/\.([\w-]+)/g)) {
        styles.set(name, `${styles.get(name) ?? ''};${body}`.slice(0, mostStyleChars));
      }
    }
  }
  return styles;
}

const mostClasses = 8;

/** Where a link leads that has most of a text; null where there is none, or none that may be opened. */
function addressOf(element: Element, text: string): string | null {
  const links = [...element.querySelectorAll('a[href]')].filter(
    (link) => textOf(link).length * 2 > text.length,
  );
  const given = [
    element.getAttribute('data-sheets-hyperlink'),
    ...links.map((link) => link.getAttribute('href')),
  ];
  const addresses = given.map((one) => one?.trim() ?? '');
  return addresses.find((one) => isSafeAddress(one) && one.length <= mostAddressChars) ?? null;
}

function readCell(cell: HTMLTableCellElement, classes: ReadonlyMap<string, string>): TableCell {
  const css = [...cell.classList].slice(0, mostClasses).map((name) => classes.get(name) ?? '');
  const style = `${css.join(';')};${styleOf(cell)}`;
  const text = textOf(cell);
  const value = truthOf(cell) ?? numberOf(cell) ?? givenText(cell, text);
  const address = addressOf(cell, text);
  const looks = formatOf(cell, style);
  const format = address === null ? looks : { ...looks, font: { ...looks.font, ...linkFont } };
  return {
    text,
    ...(value !== null && { value }),
    ...(Object.keys(format).length > 0 && { format }),
    ...(address !== null && { link: { address } }),
  };
}

/** What is no text of a page. */
const unread = /^(?:SCRIPT|STYLE|TITLE|TEMPLATE|NOSCRIPT|RT|RP)$/i;

/** What is read in a cell: a break for `br` and for paragraphs, one space for the white space of the source. */
function textOf(cell: Element): string {
  const parts: string[] = [];
  const visit = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) parts.push((node.nodeValue ?? '').replace(/[ \t\r\n]+/g, ' '));
    if (!(node instanceof Element) || unread.test(node.tagName)) return;
    if (node.tagName === 'BR') parts.push('\n');
    const isBlock = /^(?:P|DIV|LI|TR)$/.test(node.tagName);
    if (isBlock && parts.length > 0) parts.push('\n');
    if (/^T[DH]$/.test(node.tagName)) parts.push(' ');
    for (const child of node.childNodes) visit(child);
  };
  for (const child of cell.childNodes) visit(child);
  return parts
    .join('')
    .replace(/ ?\n ?/g, '\n')
    .replace(/^[ \n]+|(?<![ \n])[ \n]+$/g, '')
    .replaceAll('\u00a0', ' ');
}

/** LibreOffice says truth values as numbers of a format of their own, and Google Sheets as such. */
function truthOf(cell: Element): boolean | null {
  const { 1: kind, 4: on } = readGoogle(cell.getAttribute('data-sheets-value'));
  if (kind === 4) return on === 1 || on === true;
  const isTruth = /;BOOLEAN$/.test(cell.getAttribute('sdnum') ?? '');
  return isTruth ? Number(cell.getAttribute('sdval')) !== 0 : null;
}

function numberOf(cell: Element): number | null {
  const given = cell.getAttribute('sdval') ?? cell.getAttribute('x:num');
  if (given !== null && given !== '' && Number.isFinite(Number(given))) return Number(given);
  const { 1: kind, 3: number } = readGoogle(cell.getAttribute('data-sheets-value'));
  return kind === 3 && typeof number === 'number' ? number : null;
}

/** What Google Sheets, or an older Excel, says is text, whatever it looks like. */
function givenText(cell: Element, text: string): string | null {
  const excel = cell.getAttribute('x:str');
  if (excel !== null) return excel || text;
  const { 1: kind, 2: given } = readGoogle(cell.getAttribute('data-sheets-value'));
  return kind === 2 && typeof given === 'string' ? given : null;
}
