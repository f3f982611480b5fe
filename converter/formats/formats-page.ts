import type { ConversionTable } from './conversion-table.ts';
import { enginePreference } from './engine-preference.ts';
import type { MeasuredPair } from './measured-engines.ts';

/** Source types of which the same becomes by each engine. */
interface Row {
  readonly types: string[];
  readonly targets: ReadonlyMap<string, readonly string[]>;
}

/** Which engine converts what into what, as a table in Markdown: one line for all types with the same targets. */
export function formatsTable(
  table: Pick<ConversionTable, 'sources' | 'byEngine'>,
  engines: readonly string[],
): string {
  const rows = new Map<string, Row>();
  for (const type of table.sources()) {
    const targets = table.byEngine(type);
    const cells = engines.map((engine) => (targets.get(engine) ?? []).join(' '));
    if (cells.every((cell) => cell === '')) continue;
    const key = cells.join('|');
    const row = rows.get(key) ?? { types: [], targets };
    row.types.push(type);
    rows.set(key, row);
  }
  const lines = [...rows.values()].map(({ types, targets }) => [
    types.join(' '),
    ...engines.map((engine) => targets.get(engine)?.join(' ') || '-'),
  ]);
  return aligned([['from', ...engines.map((engine) => `to, by ${engine}`)], ...lines]);
}

/** Which engine is used for which pair, and in each cell the measured share that x2t and LibreOffice keep, percent. */
export function measuredTable(pairs: readonly MeasuredPair[]): string {
  const prefers = enginePreference([], pairs);
  const rows = pairs.map(([from, to, x2t, libreoffice, files]) => [
    from,
    to,
    String(x2t),
    String(libreoffice),
    String(files),
    prefers(from, to)!,
  ]);
  return aligned([['from', 'to', 'x2t %', 'libreoffice %', 'files', 'taken'], ...rows]);
}

/** What is converted into what, for programs. */
export function formatsJson(table: Pick<ConversionTable, 'sources' | 'byEngine'>): string {
  const formats = table
    .sources()
    .map((type) => ({ type, engines: Object.fromEntries(table.byEngine(type)) }));
  return JSON.stringify(formats, null, 2);
}

function aligned([head, ...rows]: readonly (readonly string[])[]): string {
  const widths = head!.map((_cell, column) =>
    Math.max(...[head!, ...rows].map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
