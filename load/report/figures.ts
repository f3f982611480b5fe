/** What the server's side of a report and its page share: the data of a chart, and how values are shown and summed up. */

export interface ChartLine {
  title: string;
  /** One for each time; null: not measured. */
  values: readonly (number | null)[];
}

export interface Chart {
  title: string;
  unit: string;
  /** Values over several powers of ten, none of them zero for long, are drawn on a logarithmic axis. */
  isLogarithmic: boolean;
  /** Seconds from the start of the run. */
  timesS: readonly number[];
  lines: readonly ChartLine[];
  /** Thresholds of what the chart shows. */
  limits: readonly { title: string; value: number }[];
  /** Lines stand in pairs, one of each of two runs, and are drawn through times that only the other run has. */
  isOfTwo: boolean;
}

/** Colours that there are for lines. */
const colours = 8;

/** How a line is drawn: colours alone do not tell lines apart for everybody, nor more lines than there are. */
export function lineStyle(
  position: number,
  { isOfTwo }: Pick<Chart, 'isOfTwo'>,
): { colour: number; isDashed: boolean } {
  if (isOfTwo) return { colour: Math.floor(position / 2) % colours, isDashed: position % 2 === 0 };
  return { colour: position % colours, isDashed: position >= colours };
}

/** A value without its unit, with about three digits. */
export function numberText(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** A value with its unit, as `1,667/s`, `12.5 ms`, `48 %`. */
export function valueText(value: number | null, unit: string): string {
  if (value === null || unit === '') return numberText(value);
  if (unit === '1/s') return `${numberText(value)}/s`;
  return `${numberText(value)} ${unit}`;
}

/** A time since the start, as `3:20` or `1:03:20`. */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

/** Null of no values. */
export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Null of no values. */
export const mostOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value));
