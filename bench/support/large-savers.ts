import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { saveMessage } from '../../load/saver.ts';
import { frameOf, type Prepared } from '../../load/wire/frames.ts';
import { LeanClient } from '../../load/wire/lean-client.ts';
import { localTarget } from '../../load/wire/target.ts';
import type { Bench } from './bench-run.ts';

const lowestPriority = 19;
/** After so many saves a connection is given up for another one, in another document, which has a budget of its own. */
const savesOfConnection = 2;

const change = (serial: number, text: string) => JSON.stringify({ c: 'x', n: serial, s: [text] });

/** What is saved; `megabytes` is about the size of a message. */
const kinds: Readonly<Record<string, (megabytes: number) => string[]>> = {
  'one change': (megabytes) => [change(1, 'j'.repeat(megabytes * 1_000_000))],
  // Each grows by some 150 characters when it is sent on.
  'many changes': (megabytes) =>
    Array.from({ length: (megabytes * 1_000_000) / 300 }, (_, serial) => change(serial, 'j'.repeat(100))),
  'wide signs': (megabytes) => [change(1, `${'j'.repeat(megabytes * 990_000)}語`)],
  // More than others can be sent: refused after it is read.
  'too large': (megabytes) => [change(1, '"'.repeat(megabytes * 125_000))],
};

/** What large savers save. */
export const largeSaves = Object.keys(kinds);

interface Order {
  kind: string;
  count: number;
  megabytes: number;
  port: number;
  documentUrl: string;
  callbackUrl: string;
}

/** Connections that save as much as they can, each in documents of its own, with somebody who reads along. */
export class LargeSavers {
  readonly #child: ChildProcess;
  /** Saves that were answered until now. */
  saves = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message) => {
      if (message === 'saved') this.saves += 1;
    });
  }

  /** Begins in a process of its own of the lowest priority. */
  static async start(
    { server, sources }: Bench,
    kind: string,
    { count, megabytes }: { count: number; megabytes: number },
  ): Promise<LargeSavers> {
    const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const { port } = server;
    const { callbackUrl } = sources;
    child.send({ kind, count, megabytes, port, documentUrl: sources.url(), callbackUrl } satisfies Order);
    await once(child, 'message');
    return new LargeSavers(child);
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}

/** Saves until the process ends. */
async function saveOn(order: Order, number: number, frame: Prepared): Promise<void> {
  const { port, documentUrl, callbackUrl } = order;
  for (let round = 0; ; round += 1) {
    const key = `large-${order.kind.replaceAll(' ', '-')}-${process.pid}-${number}-${round}`;
    const join = async (userId: string) => {
      const client = await LeanClient.connect(localTarget(port), key);
      await client.signIn({ key, userId, documentUrl, callbackUrl, model: 'word' });
      return client;
    };
    const clients: LeanClient[] = [];
    try {
      const saver = await join('saver');
      clients.push(saver, await join('reader'));
      for (let saved = 0; saved < savesOfConnection && saver.isOpen; saved += 1) {
        const answered = Promise.race([saver.next('unSaveLock'), saver.next('warning')]);
        saver.send(frame);
        await answered;
        if (process.connected) process.send!('saved');
      }
    } catch {
      await delay(100);
    }
    for (const client of clients) await client.close();
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  setPriority(lowestPriority);
  process.once('disconnect', () => process.exit());
  process.once('message', (order: Order) => {
    const frame = frameOf(saveMessage(kinds[order.kind]!(order.megabytes)));
    for (let number = 0; number < order.count; number += 1) void saveOn(order, number, frame);
    process.send!('begun');
  });
}
