import { cpus, loadavg, totalmem } from 'node:os';

/** A row of a result: what the columns show, in their order. */
export type Row = Readonly<Record<string, string | number>>;

/** Prints a table for people and one line of JSON with everything that makes the numbers comparable. */
export function report(
  benchmark: string,
  parameters: object,
  rows: readonly Row[],
  further: object = {},
): void {
  process.stdout.write(`\n${tableOf(rows)}\n\n`);
  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    loadAverage: loadavg().map((load) => Math.round(load * 100) / 100),
  };
  const line = { benchmark, at: new Date().toISOString(), machine, parameters, results: rows, ...further };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Says what is going on. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function tableOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_name, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) => line.map((cell, column) => cell.padStart(widths[column]!)).join('  '))
    .join('\n');
}

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** The value below which a share of the values lies; `values` need no order. NaN when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Median, 95th and 99th percentile and maximum of times in milliseconds, named with a prefix. */
export function timesOf(prefix: string, valuesMs: readonly number[]): Row {
  return {
    [`${prefix} p50 ms`]: rounded(percentile(valuesMs, 0.5), 1),
    [`${prefix} p95 ms`]: rounded(percentile(valuesMs, 0.95), 1),
    [`${prefix} p99 ms`]: rounded(percentile(valuesMs, 0.99), 1),
    [`${prefix} max ms`]: rounded(percentile(valuesMs, 1), 1),
  };
}
