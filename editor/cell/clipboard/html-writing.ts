import type { CellLook } from '../grid/drawn-sheet.ts';

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
