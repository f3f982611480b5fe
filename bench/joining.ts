/**
 * Joining: what it costs to come into a session that has been open for long.
 *
 *     node dist/bench/joining.js [--joins 20] [--small 10000] [--large 100000] [--crowd 300]
 *
 * Editors come, one after the other, into documents whose logs hold no changes, some and many. Each gets the whole log:
 * the time is from `auth` to its answer, the cost the CPU time of the service and of the database for one of them. Then
 * many come into one document without changes, each of whom is announced to everybody there.
 */
import './support/help.ts';

import { frameOf } from '../load/wire/frames.ts';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { type Bench, numbersFrom, runBench } from './support/bench-run.ts';
import { openWindow } from './support/load-window.ts';
import { progress, type Row, report, rounded, timesOf } from './support/report.ts';

const options = numbersFrom({ joins: 20, small: 10_000, large: 100_000, crowd: 300 });
const changesPerSave = 250;
const change = '68;BgAAADYANgA4AAAAAAAMAAAABgAAADYANgA4AAAAAAAMAAAABgAAADYA';

async function connect({ server, sources }: Bench, key: string, userId: string) {
  const client = await LeanClient.connect(localTarget(server.port), key);
  const startedAt = performance.now();
  let joinedMs = 0;
  client.onMessage = (type) => {
    if (type === 'auth') joinedMs = performance.now() - startedAt;
  };
  await client.signIn({ key, userId, documentUrl: sources.url(), callbackUrl: sources.callbackUrl });
  return { client, joinedMs };
}

/** Stores so many changes as the only editor of a document. */
async function fill(client: LeanClient, changes: number): Promise<void> {
  const ask = frameOf({ type: 'isSaveLock' });
  const save = frameOf({
    type: 'saveChanges',
    changes: JSON.stringify(Array.from({ length: changesPerSave }, () => change)),
    startSaveChanges: true,
    endSaveChanges: true,
    isCoAuthoring: false,
    deleteIndex: null,
    releaseLocks: false,
  });
  for (let stored = 0; stored < changes; stored += changesPerSave) {
    const granted = client.next('saveLock');
    client.send(ask);
    await granted;
    const acknowledged = client.next('unSaveLock');
    client.send(save);
    await acknowledged;
  }
}

await runBench(async (bench) => {
  const rows: Row[] = [];
  for (const changes of [0, options.small, options.large]) {
    const key = `joining-${changes}`;
    const first = await connect(bench, key, 'first-');
    progress(`${changes} changes are stored`);
    await fill(first.client, changes);
    const warm = await connect(bench, key, 'second-');
    const close = await openWindow(bench.server);
    const times: number[] = [];
    for (let number = 0; number < options.joins; number += 1) {
      const { client, joinedMs } = await connect(bench, key, `u${number}-`);
      times.push(joinedMs);
      await client.close();
    }
    const window = await close();
    rows.push({
      changes,
      'first join ms': rounded(warm.joinedMs, 1),
      ...timesOf('join', times),
      'service ms/join': rounded(window.serviceMs / options.joins),
      'database ms/join': rounded(window.databaseMs / options.joins),
    });
    await warm.client.close();
    await first.client.close();
  }
  progress(`${options.crowd} editors come into one document`);
  const close = await openWindow(bench.server);
  const crowd: LeanClient[] = [];
  for (let number = 0; number < options.crowd; number += 1) {
    crowd.push((await connect(bench, 'crowd', `u${number}-`)).client);
  }
  const window = await close();
  report('joining', options, rows, {
    crowd: {
      people: options.crowd,
      'service ms/join': rounded(window.serviceMs / options.crowd),
      'load ms/join': rounded(window.loadMs / options.crowd),
    },
  });
  for (const client of crowd) await client.close();
});
