/**
 * A thousand conversions in line: what they take of memory, and how long another tenant's wait beside them.
 *
 *     node dist/bench/conversion-queue.js [--count 1000] [--others 10]
 *
 * All are asked for at once (`async`), each of a document of its own, as PDF; then those of another tenant, whose files are
 * on another address. The memory is looked at before, when all are in line, and until the last one is made.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, sumOf, usageOf } from '../load/process-usage.ts';
import { type Bench, inParallel, numbersFrom, runBench } from './support/bench-run.ts';
import { progress, type Row, report, rounded } from './support/report.ts';
import { type SourceHost, startSourceHost } from './support/source-host.ts';

const options = numbersFrom({ count: 1_000, others: 10 });
const askingAtOnce = 16;
const lookEveryMs = 1_000;

/** Asks for a conversion, or how far it is. Returns whether it is made. */
async function ask({ server }: Bench, host: SourceHost, edition: number): Promise<boolean> {
  const body = {
    async: true,
    filetype: 'docx',
    outputtype: 'pdf',
    key: `${edition}`,
    url: host.url(edition),
  };
  const response = await fetch(`http://127.0.0.1:${server.port}/converter`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const reply = (await response.json()) as { endConvert?: boolean; error?: number };
  if (reply.error !== undefined) throw new Error(`A conversion was refused with ${reply.error}`);
  return reply.endConvert === true;
}

async function memory({ server }: Bench): Promise<Row> {
  const { service, converter, database } = await server.usage();
  const offices = await descendantsOf(process.pid, 'soffice.bin');
  const office = sumOf(await Promise.all(offices.map((pid) => usageOf(pid, { withEnded: false }))));
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return {
    'server MB': megabytes(service.pssBytes),
    'converter MB': megabytes(converter.pssBytes),
    'LibreOffice MB': megabytes(office.pssBytes),
    'PostgreSQL MB': megabytes(database.pssBytes),
  };
}

/** Looks after some conversions until all are made. Returns when each was, milliseconds since `startedAt`. */
async function untilMade(
  bench: Bench,
  host: SourceHost,
  editions: readonly number[],
  startedAt: number,
): Promise<number[]> {
  const madeMs: number[] = [];
  let left = editions;
  while (left.length > 0) {
    const still: number[] = [];
    await inParallel(left.length, askingAtOnce, async (at) => {
      if (await ask(bench, host, left[at]!)) madeMs.push(performance.now() - startedAt);
      else still.push(left[at]!);
    });
    left = still;
    await delay(lookEveryMs);
  }
  return madeMs;
}

await runBench(
  async (bench) => {
    const others = await startSourceHost();
    const rows: Row[] = [{ when: 'before', ...(await memory(bench)) }];
    const crowd = Array.from({ length: options.count }, (_, edition) => edition + 1);
    const few = Array.from({ length: options.others }, (_, edition) => options.count + edition + 1);
    const startedAt = performance.now();
    await inParallel(
      crowd.length,
      askingAtOnce,
      async (at) => void (await ask(bench, bench.sources, crowd[at]!)),
    );
    await inParallel(few.length, askingAtOnce, async (at) => void (await ask(bench, others, few[at]!)));
    const askedMs = performance.now() - startedAt;
    rows.push({ when: 'all in line', ...(await memory(bench)) });
    progress(`${options.count + options.others} in line after ${rounded(askedMs / 1_000, 1)} s`);
    const ofOthers = untilMade(bench, others, few, startedAt);
    const made = untilMade(bench, bench.sources, crowd, startedAt);
    let isOver = false;
    void made.then(() => {
      isOver = true;
    });
    for (let look = 1; !isOver; look += 1) {
      await delay(lookEveryMs * 10);
      rows.push({ when: `after ${look * 10} s`, ...(await memory(bench)) });
      progress(JSON.stringify(rows.at(-1)));
    }
    const [crowdMs, othersMs] = [await made, await ofOthers];
    const lastS = (times: readonly number[]) => rounded(Math.max(...times) / 1_000, 1);
    report('conversion-queue', options, rows, {
      'asked for within s': rounded(askedMs / 1_000, 1),
      'last of the other tenant after s': lastS(othersMs),
      'last of the thousand after s': lastS(crowdMs),
    });
    await others.stop();
  },
  { environment: { CONVERTER_PROCESSES: '1' } },
);
