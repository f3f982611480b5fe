/** Rows of cells as text with tabs between; cells with line breaks, tabs or quotes at their beginning are in quotes. */
export function writeSeparated(rows: readonly (readonly string[])[]): string {
  const quoted = (text: string) => (/[\t\n\r]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(quoted).join('\t')).join('\n');
}

/** Reads what {@link writeSeparated} and other programs write. A last line break ends the last row and begins none. */
export function readSeparated(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let at = 0;
  let isQuoted = false;
  while (at < text.length) {
    const sign = text[at]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '' && closes(text, at)) isQuoted = true;
    else if (sign === '\t') {
      row.push(cell);
      cell = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else cell += sign;
    at++;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}

/** Whether a quote that begins a cell also ends it: otherwise it is one of its letters. */
function closes(text: string, start: number): boolean {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] === '"') at++;
    else return at + 1 === text.length || /[\t\n\r]/.test(text[at + 1]!);
  }
  return false;
}

/** How many cells a text has at most, without reading them. */
export function countCells(text: string): number {
  let count = text === '' ? 0 : 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 9 || code === 10) count++;
  }
  return count;
}
