/**
 * Opening a document, from `auth` to `documentOpen`: the source is fetched from a storage on this machine, looked at,
 * and, the first time its content is seen, opened by a converter.
 *
 *     node dist/bench/opening.js [--alone 200] [--rounds 10] [--at-once 50] [--first 30]
 */
import './support/help.ts';

import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { type Bench, inParallel, numbersFrom, runBench } from './support/bench-run.ts';
import { type LoadWindow, openWindow } from './support/load-window.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

type Model = 'word' | undefined;

const options = numbersFrom({ alone: 200, rounds: 10, 'at-once': 50, first: 30, 'warm-up': 100 });
const joiningAtOnce = 16;

let lastKey = 0;

/** Opens as many documents, all of them at the same moment, on connections that are there already. */
async function openAtOnce(
  { server, sources }: Bench,
  count: number,
  model: Model,
  editionOf: (number: number) => number,
): Promise<{ openedMs: number[]; downloadedMs: number[] }> {
  const clients: { client: LeanClient; key: string }[] = [];
  await inParallel(count, joiningAtOnce, async () => {
    lastKey += 1;
    const key = `opening-${lastKey}`;
    clients.push({ client: await LeanClient.connect(localTarget(server.port), key), key });
  });
  const openedMs: number[] = [];
  const downloadedMs: number[] = [];
  await Promise.all(
    clients.map(async ({ client, key }, number) => {
      const startedAt = performance.now();
      const { files, elapsedMs } = await client.signIn({
        key,
        userId: 'u',
        documentUrl: sources.url(editionOf(number)),
        callbackUrl: sources.callbackUrl,
        ...(model && { model }),
      });
      openedMs.push(elapsedMs);
      const response = await fetch(Object.values(files)[0]!);
      if (!response.ok) throw new Error(`A file of an opened document gave ${response.status}`);
      await response.arrayBuffer();
      downloadedMs.push(performance.now() - startedAt);
    }),
  );
  await Promise.all(clients.map(({ client }) => client.close()));
  return { openedMs, downloadedMs };
}

async function measure(
  bench: Bench,
  name: string,
  model: Model,
  rounds: number,
  atOnce: number,
  editionOf: (round: number, number: number) => number,
): Promise<Row> {
  progress(`${name}, ${model ?? 'no'} model`);
  const openedMs: number[] = [];
  const downloadedMs: number[] = [];
  const close = await openWindow(bench.server);
  for (let round = 0; round < rounds; round += 1) {
    const times = await openAtOnce(bench, atOnce, model, (number) => editionOf(round, number));
    openedMs.push(...times.openedMs);
    downloadedMs.push(...times.downloadedMs);
  }
  return rowOf(name, model, { openedMs, downloadedMs }, await close());
}

function rowOf(
  name: string,
  model: Model,
  times: { openedMs: number[]; downloadedMs: number[] },
  window: LoadWindow,
): Row {
  const perDocument = (spentMs: number) => rounded(spentMs / times.openedMs.length, 1);
  return {
    run: name,
    model: model ?? 'none',
    documents: times.openedMs.length,
    ...timesOf('open', times.openedMs),
    'with download p50 ms': timesOf('', times.downloadedMs)[' p50 ms']!,
    'service ms/open': perDocument(window.serviceMs),
    'postgres ms/open': perDocument(window.databaseMs),
    'converter ms/open': perDocument(window.converterMs),
    'other cores': rounded(window.otherMs / window.elapsedMs),
  };
}

await runBench(async (bench) => {
  const rows: Row[] = [];
  let unseen = 1;
  const newEdition = () => {
    unseen += 1;
    return unseen;
  };
  for (const model of [undefined, 'word'] as const) {
    await measure(bench, 'Warming up', model, options['warm-up'], 1, () => 0);
    rows.push(await measure(bench, 'seen before, alone', model, options.alone, 1, () => 0));
    const atOnce = options['at-once'];
    rows.push(await measure(bench, `seen before, ${atOnce} at once`, model, options.rounds, atOnce, () => 0));
    rows.push(await measure(bench, 'first time, alone', model, options.first, 1, newEdition));
    rows.push(await measure(bench, `first time, ${atOnce} at once`, model, 2, atOnce, newEdition));
  }
  report('opening', options, rows);
});
