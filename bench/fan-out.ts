/**
 * Fan-out: what it costs to send one message to many participants of one document.
 *
 *     node dist/bench/fan-out.js [--participants 400] [--seconds 8] [--cursors 50] [--saves 20]
 *
 * One participant moves its cursor, or saves 25 changes, at a steady rate; all others receive. The cost of a
 * recipient-message is the CPU time of the service divided by the messages that arrived. For saves, what the same
 * saves cost with nobody listening is measured first and taken off.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { frameOf } from '../load/wire/frames.ts';
import { LeanClient } from '../load/wire/lean-client.ts';
import { localTarget } from '../load/wire/target.ts';
import { type Bench, numbersFrom, runBench } from './support/bench-run.ts';
import { openWindow } from './support/load-window.ts';
import { opaqueSaver } from './support/opaque-saves.ts';
import { progress, type Row, report, rounded } from './support/report.ts';

const options = numbersFrom({ participants: 400, seconds: 8, cursors: 50, saves: 20 });
const cursor = frameOf({ type: 'cursor', cursor: '20;BgAAADYANgA4AAAAAAAMAAAABgAAADYANgA4AA==' });

const key = 'fan-out';

async function join({ server, sources }: Bench, document: string, number: number): Promise<LeanClient> {
  const client = await LeanClient.connect(localTarget(server.port), document);
  await client.signIn({
    key: document,
    userId: `u${number}-`,
    documentUrl: sources.url(),
    callbackUrl: sources.callbackUrl,
  });
  return client;
}

/** Repeats an action at a steady rate for as long as a measurement takes, and says what the service spent meanwhile. */
async function measure(bench: Bench, perSecond: number, action: () => void) {
  const startedAt = performance.now();
  let done = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * perSecond) / 1_000);
    for (; done < due; done += 1) action();
  }, 2);
  await delay(2_000);
  const close = await openWindow(bench.server);
  const before = done;
  await delay(options.seconds * 1_000);
  const actions = done - before;
  const window = await close();
  clearInterval(timer);
  return { window, actions, allActions: done };
}

await runBench(async (bench) => {
  const lone = await join(bench, 'fan-out-alone', 0);
  const loneSaver = opaqueSaver(lone, 'fan-out-alone', 0);
  const alone = await measure(bench, options.saves, () => loneSaver.save(performance.now()));
  const serviceMsPerSave = alone.window.serviceMs / alone.actions;

  progress(`${options.participants} participants come in, one after the other`);
  const closeJoining = await openWindow(bench.server);
  const clients: LeanClient[] = [];
  for (let number = 0; number < options.participants; number += 1) {
    clients.push(await join(bench, key, number));
  }
  const joining = await closeJoining();

  let received = 0;
  for (const client of clients.slice(1)) {
    client.onMessage = (type) => {
      if (type === 'cursor' || type === 'saveChanges') received += 1;
    };
  }
  const [sender] = clients;
  const saver = opaqueSaver(sender!, key, 0);
  const rows: Row[] = [];
  const run = async (name: string, perSecond: number, ownMs: number, action: () => void) => {
    progress(name);
    received = 0;
    const { window, actions, allActions } = await measure(bench, perSecond, action);
    const recipients = clients.length - 1;
    while (received < allActions * recipients) await delay(10);
    const perRecipientMs = (window.serviceMs / actions - ownMs) / recipients;
    rows.push({
      run: name,
      participants: clients.length,
      'messages/s': Math.round((actions * recipients * 1_000) / window.elapsedMs),
      'all arrived': received,
      'µs/recipient-message': rounded(perRecipientMs * 1_000, 1),
      'load cores': rounded(window.loadMs / window.elapsedMs),
      'other cores': rounded(window.otherMs / window.elapsedMs),
    });
  };
  await run('cursor', options.cursors, 0, () => sender!.send(cursor));
  await run('saveChanges', options.saves, serviceMsPerSave, () => saver.save(performance.now()));
  report('fan-out', options, rows, {
    joiningServiceMsPerParticipant: rounded(joining.serviceMs / options.participants),
    serviceMsPerSaveAlone: rounded(serviceMsPerSave),
  });
});
