/**
 * How much longer a save takes while connections to other documents ask for as much as they can, against without, by turns.
 *
 *     node dist/bench/abusers.js [--seconds 10] [--rounds 2] [--abusers 10] [--savers 20] [--rate 40]
 *
 * Savers save documents of their own at a steady rate. Beside them nobody, then the abusers with one kind of message after the
 * other, each as fast as its connection takes it; whoever is disconnected comes back.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, numbersFrom, runBench } from './support/bench-run.ts';
import { frameOf, LeanClient } from './support/lean-client.ts';
import { percentile, progress, type Row, report, rounded, timesOf } from './support/report.ts';
import { Saver } from './support/saver.ts';

const options = numbersFrom({ seconds: 10, rounds: 2, abusers: 10, savers: 20, rate: 40 });
/** An abuser sends so many messages at a time, and waits until they have left. */
const messagesAtOnce = 200;
const tickMs = 2;

const paths = Array.from({ length: 1_000 }, (_, index) => `media/image${index}.png`);
const blocks = (count: number) => Array.from({ length: count }, (_, at) => `p${Math.random()}-${at}`);
const kinds: Readonly<Record<string, () => object>> = {
  open: () => ({ type: 'openDocument', message: { c: 'open' } }),
  paths: () => ({ type: 'openDocument', message: { c: 'pathurls', data: paths } }),
  locks: () => ({ type: 'getLock', block: blocks(200) }),
  calls: () => ({ type: 'rpc', responseKey: 1, data: { type: 'pathurls', data: paths } }),
  log: () => ({ type: 'clientLog', level: 'error', msg: 'x'.repeat(1_000) }),
  chat: () => ({ type: 'message', message: 'x'.repeat(1_000) }),
  'chat history': () => ({ type: 'getMessages' }),
  cursors: () => ({ type: 'cursor', cursor: 'x'.repeat(100) }),
  'turns to save': () => ({ type: 'isSaveLock', syncChangesIndex: 0 }),
};

class Abuser {
  readonly #bench: Bench;
  readonly #key: string;
  readonly #frames: readonly Buffer[];
  #client: LeanClient | null = null;
  #running = true;
  readonly #ended: Promise<void>;

  constructor(bench: Bench, key: string, message: () => object) {
    this.#bench = bench;
    this.#key = key;
    this.#frames = Array.from({ length: 20 }, () => frameOf(message()));
    this.#ended = this.#abuse();
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#client?.close();
    await this.#ended;
  }

  async #abuse(): Promise<void> {
    while (this.#running) {
      try {
        const { server, sources } = this.#bench;
        this.#client = await LeanClient.connect(server.port, this.#key);
        const { callbackUrl } = sources;
        await this.#client.signIn({
          key: this.#key,
          userId: 'abuser',
          documentUrl: sources.url(),
          callbackUrl,
        });
        while (this.#running && this.#client.isOpen) await this.#send(this.#client);
      } catch {
        await delay(100);
      }
    }
  }

  async #send(client: LeanClient): Promise<void> {
    for (let sent = 0; sent < messagesAtOnce; sent += 1)
      client.send(this.#frames[sent % this.#frames.length]!);
    do await delay(5);
    while (client.isOpen && client.queuedBytes > 0);
  }
}

/** Saves at a steady rate for a while. Returns how long each took, with the save lock. */
async function saveFor(savers: readonly Saver[], seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const saver of savers) saver.onSaved = ({ totalMs }) => times.push(totalMs);
  const startedAt = performance.now();
  let issued = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * options.rate) / 1_000);
    for (; issued < due; issued += 1)
      savers[issued % savers.length]!.save(startedAt + (issued * 1_000) / options.rate);
  }, tickMs);
  await delay(seconds * 1_000);
  clearInterval(timer);
  while (savers.some((saver) => saver.busy)) await delay(10);
  return times;
}

async function openSavers({ server, sources }: Bench): Promise<Saver[]> {
  const savers: Saver[] = [];
  for (let number = 0; number < options.savers; number += 1) {
    const key = `saver-${number}`;
    const client = await LeanClient.connect(server.port, key);
    const { callbackUrl } = sources;
    await client.signIn({ key, userId: `u${number}-`, documentUrl: sources.url(), callbackUrl });
    savers.push(new Saver(client, key, number));
  }
  return savers;
}

await runBench(async (bench) => {
  const savers = await openSavers(bench);
  await saveFor(savers, 3);
  const alone: number[] = [];
  const beside = new Map<string, number[]>();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [kind, message] of Object.entries(kinds)) {
      progress(`Round ${round + 1}: alone, then beside ${kind}`);
      alone.push(...(await saveFor(savers, options.seconds / 2)));
      const abusers = Array.from(
        { length: options.abusers },
        (_, number) => new Abuser(bench, `abused-${kind.replaceAll(' ', '-')}-${number}`, message),
      );
      await delay(1_000);
      const times = await saveFor(savers, options.seconds);
      beside.set(kind, [...(beside.get(kind) ?? []), ...times]);
      await Promise.all(abusers.map((abuser) => abuser.stop()));
      await delay(1_000);
    }
  }
  const aloneP99 = percentile(alone, 0.99);
  const rowOf = (name: string, times: readonly number[]): Row => ({
    beside: name,
    saves: times.length,
    ...timesOf('save', times),
    'p99, times': rounded(percentile(times, 0.99) / aloneP99),
  });
  report('abusers', options, [
    rowOf('nobody', alone),
    ...[...beside].map(([kind, times]) => rowOf(kind, times)),
    rowOf('any of them', [...beside.values()].flat()),
  ]);
});
