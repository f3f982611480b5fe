import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { frameOf } from '../../load/wire/frames.ts';
import { LeanClient } from '../../load/wire/lean-client.ts';
import { localTarget } from '../../load/wire/target.ts';
import type { Bench } from './bench-run.ts';

/** An abuser sends so many messages at a time, and waits until they have left. */
const messagesAtOnce = 200;
const lowestPriority = 19;

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

/** What abusers ask for. */
export const abuses = Object.keys(kinds);

interface Order {
  kind: string;
  count: number;
  port: number;
  documentUrl: string;
  callbackUrl: string;
}

/** Connections that ask for as much as they can, each in a document of its own; those that are disconnected come back. */
export class Abusers {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /**
   * Begins in a process of its own, of the lowest priority: what is measured is the server, and abusers have processors of
   * their own elsewhere.
   */
  static async start({ server, sources }: Bench, kind: string, count: number): Promise<Abusers> {
    const child = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const { port } = server;
    const { callbackUrl } = sources;
    child.send({ kind, count, port, documentUrl: sources.url(), callbackUrl } satisfies Order);
    await once(child, 'message');
    return new Abusers(child);
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }
}

/** Abuses until the process ends. */
async function abuse({ kind, port, documentUrl, callbackUrl }: Order, number: number): Promise<void> {
  const frames = Array.from({ length: 20 }, () => frameOf(kinds[kind]!()));
  const key = `abused-${kind.replaceAll(' ', '-')}-${number}`;
  for (;;) {
    try {
      const client = await LeanClient.connect(localTarget(port), key);
      await client.signIn({ key, userId: 'abuser', documentUrl, callbackUrl });
      while (client.isOpen) {
        for (let sent = 0; sent < messagesAtOnce; sent += 1) client.send(frames[sent % frames.length]!);
        do await delay(5);
        while (client.isOpen && client.queuedBytes > 0);
      }
    } catch {
      await delay(100);
    }
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  setPriority(lowestPriority);
  process.once('disconnect', () => process.exit());
  process.once('message', (order: Order) => {
    for (let number = 0; number < order.count; number += 1) void abuse(order, number);
    process.send!('begun');
  });
}
