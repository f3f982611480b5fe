/**
 * How long a normal opening and the file of a save take beside files that are made to take long, against without, by turns.
 *
 *     node dist/bench/hostile-files.js [--rounds 3] [--openings 20] [--saves 10] [--hostile 4]
 *
 * A tenant opens pages of text that no server has seen, one after the other, and then changes documents and leaves them, whose
 * files are waited for. Beside it nobody, then another tenant that opens as many hostile files at a time without end: 10 KB
 * each, with nearly as many table cells as a source may have.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { authorName } from '../load/frame-template.ts';
import { Saver } from '../load/saver.ts';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { WordBatches } from '../load/word-batches.ts';
import { slowDocument } from '../test/support/slow-documents.ts';
import { type Bench, inParallel, numbersFrom, runBench } from './support/bench-run.ts';
import { openSource } from './support/ordinary-work.ts';
import { percentile, progress, type Row, report, rounded, timesOf } from './support/report.ts';
import { startSourceHost } from './support/source-host.ts';

const options = numbersFrom({ rounds: 3, openings: 20, saves: 10, hostile: 4 });
const pauseMs = 100;
const changesPerSave = 25;

let last = 0;
const nextNumber = () => {
  last += 1;
  return last;
};

/** Changes a document and leaves it. Returns how long it takes until the callback reports the file. */
async function saved({ server, sources }: Bench): Promise<number> {
  const key = `saved-${nextNumber()}`;
  const client = await LeanClient.connect(localTarget(server.port), key);
  const { callbackUrl } = sources;
  await client.signIn({ key, userId: 'u-', documentUrl: sources.url(), callbackUrl, model: 'word' });
  const saver = new Saver(client, key, new WordBatches('websocket', changesPerSave).of(authorName(0)));
  await new Promise<void>((resolve) => {
    saver.onSaved = () => resolve();
    saver.save(performance.now());
  });
  const saved = sources.saved(key);
  const leftAt = performance.now();
  await client.close();
  await saved;
  return performance.now() - leftAt;
}

interface Times {
  openedMs: number[];
  savedMs: number[];
}

async function measure(bench: Bench, times: Times): Promise<void> {
  for (let number = 0; number < options.openings; number += 1) {
    times.openedMs.push(await openSource(bench, bench.sources.url(nextNumber())));
    await delay(pauseMs);
  }
  for (let number = 0; number < options.saves; number += 1) times.savedMs.push(await saved(bench));
}

await runBench(
  async (bench) => {
    const hostile = await startSourceHost(slowDocument);
    const alone: Times = { openedMs: [], savedMs: [] };
    const beside: Times = { openedMs: [], savedMs: [] };
    let hostileOpenings = 0;
    await measure(bench, { openedMs: [], savedMs: [] });
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`Round ${round + 1}: alone`);
      await measure(bench, alone);
      progress(`Round ${round + 1}: beside hostile files`);
      let isRunning = true;
      const stream = inParallel(options.hostile, options.hostile, async () => {
        while (isRunning) {
          await openSource(bench, hostile.url(nextNumber())).catch(() => undefined);
          hostileOpenings += 1;
        }
      });
      await delay(2_000);
      await measure(bench, beside);
      isRunning = false;
      await stream;
    }
    await hostile.stop();
    const rowOf = (name: string, { openedMs, savedMs }: Times): Row => ({
      beside: name,
      openings: openedMs.length,
      ...timesOf('open', openedMs),
      ...timesOf('file', savedMs),
      'open p50, times': rounded(percentile(openedMs, 0.5) / percentile(alone.openedMs, 0.5)),
      'open p95, times': rounded(percentile(openedMs, 0.95) / percentile(alone.openedMs, 0.95)),
      'file p50, times': rounded(percentile(savedMs, 0.5) / percentile(alone.savedMs, 0.5)),
    });
    report('hostile files', options, [
      rowOf('nobody', alone),
      rowOf(`${hostileOpenings} hostile files`, beside),
    ]);
  },
  { environment: { CLOSING_GRACE_MS: '50', RECONNECT_GRACE_MS: '100' } },
);
