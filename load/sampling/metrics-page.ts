/** One value of a page of metrics, with its labels. */
interface MetricValue {
  labels: Readonly<Record<string, string>>;
  value: number;
}

export type Labels = MetricValue['labels'];

/** Which values of a metric count. */
export type Wanted = (labels: Labels) => boolean;

/** The upper edges of a histogram with how many values were at most so large, in order. */
export type Buckets = readonly (readonly [edge: number, count: number])[];

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const all: Wanted = () => true;

/**
 * What one server showed at `/metrics` at one moment: the text format of Prometheus, of which only the values are read. The
 * package that reads it, parse-prometheus-text-format, is not kept up and keeps values as texts.
 *
 * Workers of a server stand on one page, told apart by the label `worker`. A value that is not known (`NaN`) is left out.
 */
export class MetricsPage {
  readonly #values = new Map<string, MetricValue[]>();

  constructor(text: string) {
    for (const one of text.split('\n')) {
      if (one.startsWith('#')) continue;
      const [, name, labels, shown] = line.exec(one) ?? [];
      const value = numberOf(shown);
      if (name === undefined || Number.isNaN(value)) continue;
      const values = this.#values.get(name) ?? [];
      values.push({ labels: labelsOf(labels ?? ''), value });
      this.#values.set(name, values);
    }
  }

  values(name: string, wanted: Wanted = all): readonly MetricValue[] {
    return (this.#values.get(name) ?? []).filter(({ labels }) => wanted(labels));
  }

  /** Null where there is no value. */
  sum(name: string, wanted?: Wanted): number | null {
    return sumOf(this.values(name, wanted).map(({ value }) => value));
  }

  /** Null where there is no value. */
  most(name: string, wanted?: Wanted): number | null {
    const values = this.values(name, wanted);
    return values.length === 0 ? null : values.reduce((most, { value }) => Math.max(most, value), -Infinity);
  }

  /** The sum of the worker that has most: of a metric that each of them has of all nodes. */
  sumOfOneWorker(name: string, wanted?: Wanted): number | null {
    const sums = new Map<string, number>();
    for (const { labels, value } of this.values(name, wanted)) {
      const worker = labels.worker ?? '';
      sums.set(worker, (sums.get(worker) ?? 0) + value);
    }
    return sums.size === 0 ? null : Math.max(...sums.values());
  }

  /** A histogram, added up over its labels. Empty where there is none. */
  buckets(name: string, wanted?: Wanted): Buckets {
    const counts = new Map<number, number>();
    for (const { labels, value } of this.values(`${name}_bucket`, wanted)) {
      const edge = numberOf(labels.le);
      counts.set(edge, (counts.get(edge) ?? 0) + value);
    }
    return [...counts].sort(([a], [b]) => a - b);
  }
}

/** Null where there is no value. */
export const sumOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);

/**
 * The value that this share of the values of a histogram did not exceed, taken to lie evenly between two edges; null without
 * values. What lies above the last edge counts as that.
 */
export function quantileOf(buckets: Buckets, share: number): number | null {
  const count = buckets.at(-1)?.[1] ?? 0;
  if (count <= 0) return null;
  const rank = share * count;
  let [below, belowCount] = [0, 0];
  for (const [edge, upTo] of buckets) {
    if (upTo >= rank) {
      if (!Number.isFinite(edge)) return below;
      return upTo === belowCount
        ? edge
        : below + ((edge - below) * (rank - belowCount)) / (upTo - belowCount);
    }
    [below, belowCount] = [edge, upTo];
  }
  return below;
}

function labelsOf(text: string): Labels {
  const labels: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(label)) {
    labels[name!] = value!.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign));
  }
  return labels;
}

const numberOf = (text: string | undefined): number =>
  text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text ?? Number.NaN);
