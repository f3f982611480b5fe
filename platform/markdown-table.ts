/** A table in Markdown, its cells as wide as the widest of their column, as the formatter of the documents has them. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => ''), ...rows];
  const widths = head.map((_cell, column) => Math.max(3, ...all.map((row) => row[column]!.length)));
  return all
    .map((row, index) =>
      row.map((cell, column) => (index === 1 ? '-'.repeat(widths[column]!) : cell.padEnd(widths[column]!))),
    )
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
