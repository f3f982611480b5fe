/** Who is connected, as the statistics count them. */
export interface ConnectionCounts {
  edit: number;
  liveview: number;
  view: number;
}

type Kind = keyof ConnectionCounts;
/** `avr` is the mean; the name is the protocol's. */
type Spread = Record<Kind, { min: number; avr: number; max: number }>;

interface Span {
  startedAtMs: number;
  samples: number;
  lowest: ConnectionCounts;
  highest: ConnectionCounts;
  sums: ConnectionCounts;
}

const kinds: readonly Kind[] = ['edit', 'liveview', 'view'];
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const windowsMs = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;

/**
 * How many people were connected to this node in the last hour, day, week and month (integration API, 11.5), from
 * samples; it begins anew with the process. Minutes are kept for an hour and hours for a month, at any rate of samples.
 */
export class ConnectionStatistics {
  readonly #minutes: Span[] = [];
  readonly #hours: Span[] = [];

  sample(counts: ConnectionCounts, nowMs: number): void {
    take(this.#minutes, minuteMs, windowsMs.hour, counts, nowMs);
    take(this.#hours, hourMs, windowsMs.month, counts, nowMs);
  }

  /** The spread of each window that there are samples of. */
  spreads(nowMs: number): Partial<Record<keyof typeof windowsMs, Spread>> {
    const found = Object.entries(windowsMs).flatMap(([name, lengthMs]) => {
      const spans = name === 'hour' ? this.#minutes : this.#hours;
      const spread = spreadOf(spans.filter(({ startedAtMs }) => startedAtMs > nowMs - lengthMs));
      return spread ? [[name, spread]] : [];
    });
    return Object.fromEntries(found) as Partial<Record<keyof typeof windowsMs, Spread>>;
  }
}

function take(
  spans: Span[],
  lengthMs: number,
  keptMs: number,
  counts: ConnectionCounts,
  nowMs: number,
): void {
  const startedAtMs = nowMs - (nowMs % lengthMs);
  while (spans[0] && spans[0].startedAtMs <= nowMs - keptMs) spans.shift();
  let span = spans.at(-1);
  if (span?.startedAtMs !== startedAtMs) {
    const sums = { edit: 0, liveview: 0, view: 0 };
    span = { startedAtMs, samples: 0, lowest: { ...counts }, highest: { ...counts }, sums };
    spans.push(span);
  }
  span.samples += 1;
  for (const kind of kinds) {
    span.lowest[kind] = Math.min(span.lowest[kind], counts[kind]);
    span.highest[kind] = Math.max(span.highest[kind], counts[kind]);
    span.sums[kind] += counts[kind];
  }
}

function spreadOf(spans: readonly Span[]): Spread | null {
  if (spans.length === 0) return null;
  const samples = spans.reduce((sum, span) => sum + span.samples, 0);
  const entries = kinds.map((kind) => {
    const min = Math.min(...spans.map(({ lowest }) => lowest[kind]));
    const max = Math.max(...spans.map(({ highest }) => highest[kind]));
    const avr = Math.round(spans.reduce((sum, { sums }) => sum + sums[kind], 0) / samples);
    return [kind, { min, avr, max }];
  });
  return Object.fromEntries(entries) as Spread;
}
