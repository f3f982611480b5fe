/** Rows below their names, in columns; the last one is as long as it is. Cells hold no line ends. */
export function textTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [names, ...rows].map((row) => row.map((cell) => cell.replace(/\s+/g, ' ') || '-'));
  const widths = names.map((_name, column) => Math.max(...lines.map((row) => row[column]!.length)));
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** How long ago a time was: `12s`, `5m`, `3h`, `2d`. */
export function age(time: string | number | null): string {
  if (time === null) return '-';
  const seconds = Math.max(0, Math.round((Date.now() - new Date(time).getTime()) / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}
