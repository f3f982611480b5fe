import { setTimeout as delay } from 'node:timers/promises';
import type { Saver } from '../../load/saver.ts';
import { LeanClient } from '../../load/wire/lean-client.ts';
import { localTarget } from '../../load/wire/target.ts';
import type { Bench } from './bench-run.ts';
import { saveAtRate } from './opaque-saves.ts';
import { percentile, type Row, rounded, timesOf } from './report.ts';

/** So long after an opening comes the next, milliseconds. */
const openingPauseMs = 200;

let openings = 0;

/** Opens a source in the word model, under a key of its own. Returns how long that took, milliseconds. */
export async function openSource({ server, sources }: Bench, documentUrl: string): Promise<number> {
  openings += 1;
  const key = `opened-${openings}`;
  const client = await LeanClient.connect(localTarget(server.port), key);
  try {
    const { callbackUrl } = sources;
    const opened = await client.signIn({ key, userId: 'u', documentUrl, callbackUrl, model: 'word' });
    return opened.elapsedMs;
  } finally {
    await client.close();
  }
}

/** How long people waited who do nothing unusual, milliseconds. */
export interface Waits {
  /** Of saves with the save lock, at a steady rate, in documents of their own. */
  readonly saveMs: number[];
  /** Of sources that no server has seen, opened one after the other. */
  readonly openMs: number[];
}

/** Has people save and open for a while. */
export async function ordinaryWork(
  bench: Bench,
  savers: readonly Saver[],
  { seconds, rate }: { seconds: number; rate: number },
): Promise<Waits> {
  const [saveMs, openMs]: number[][] = [[], []];
  for (const saver of savers) saver.onSaved = ({ totalMs }) => saveMs!.push(totalMs);
  const stop = saveAtRate(savers, rate);
  for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; ) {
    openMs!.push(await openSource(bench, bench.sources.url(openings + 1)));
    await delay(openingPauseMs);
  }
  stop();
  while (savers.some((saver) => saver.busy)) await delay(10);
  return { saveMs: saveMs!, openMs: openMs! };
}

/** What is reported of waits, beside those of the same people when nobody disturbs them. */
export function waitsRow({ saveMs, openMs }: Waits, alone: Waits): Row {
  const times = (some: readonly number[], others: readonly number[], part: number) =>
    rounded(percentile(some, part) / percentile(others, part));
  return {
    saves: saveMs.length,
    ...timesOf('save', saveMs),
    'save p99, times': times(saveMs, alone.saveMs, 0.99),
    openings: openMs.length,
    'open p50 ms': rounded(percentile(openMs, 0.5), 1),
    'open p50, times': times(openMs, alone.openMs, 0.5),
  };
}
