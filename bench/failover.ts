/**
 * How long people are kept from typing when the node they are on is killed with SIGKILL and stays away, or is stopped with
 * SIGTERM. Everybody types twice a second. Of a kill, the time is counted from it to the first acknowledgement of something
 * typed after it; of a stop, during which people leave one after the other, the longest that anything typed by a person
 * waited for its acknowledgement.
 *
 *     node dist/bench/failover.js [--nodes 3] [--documents 30] [--people 3] [--kills 2] [--stops 0] [--nginx 0]
 *
 * Clients come back as the client library does by default. `nginx`: it leads them to the nodes as it is shipped, instead of each
 * connection to the next node.
 */
import './support/help.ts';

import { setTimeout as delay } from 'node:timers/promises';
import { DocumentClient } from '../client/document-client.ts';
import { Cluster } from '../test/support/histories/cluster.ts';
import { wordSource } from '../test/support/histories/word-client.ts';
import { inParallel, numbersFrom } from './support/bench-run.ts';
import { progress, type Row, report, timesOf } from './support/report.ts';

const options = numbersFrom({ nodes: 3, documents: 30, people: 3, kills: 2, stops: 0, nginx: 0 });
const typeEveryMs = 500;
const patienceMs = 60_000;
const settlingMs = 2_000;

/** Somebody who types a change at fixed times and notes when each is stored. */
class Typist {
  readonly client: DocumentClient;
  lost = false;
  /** The longest that something typed since this was set to 0 has waited until it was stored, milliseconds. */
  longestWaitMs = 0;
  /** How often it was without a connection since then, each failed attempt counted, and for how long at most, milliseconds. */
  losses = 0;
  longestAwayMs = 0;
  #lostAt: number | null = null;
  #unsaved: number[] = [];
  #onStored: (typedAt: number) => void = () => undefined;

  constructor(cluster: Cluster, key: string, userId: string, sourceUrl: string) {
    this.client = new DocumentClient({
      url: cluster.address,
      key,
      auth: {
        user: { id: userId },
        permissions: { edit: true },
        mode: 'edit',
        documentCallbackUrl: cluster.integrator.callbackUrl(key),
        openCmd: { format: 'docx', url: sourceUrl, title: 'Failover.docx' },
      },
      hooks: {
        takeBatch: () => this.#unsaved.map((at) => `${userId};${at}`),
        confirm: (_first, count) => {
          for (const typedAt of this.#unsaved.splice(0, count)) {
            this.#onStored(typedAt);
            this.longestWaitMs = Math.max(this.longestWaitMs, performance.now() - typedAt);
          }
        },
      },
    });
    this.client.on('lost', () => {
      this.lost = true;
      this.losses += 1;
      this.#lostAt ??= performance.now();
    });
    this.client.on('status', ({ connection }) => {
      if (connection !== 'ready' || this.#lostAt === null) return;
      this.longestAwayMs = Math.max(this.longestAwayMs, performance.now() - this.#lostAt);
      this.#lostAt = null;
    });
  }

  type(): void {
    this.#unsaved.push(performance.now());
    this.client.queueSave();
  }

  /** Milliseconds from `since` until something typed after it was stored. */
  typesAgain(since: number): Promise<number> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(patienceMs), patienceMs);
      this.#onStored = (typedAt) => {
        if (typedAt < since) return;
        clearTimeout(timer);
        this.#onStored = () => undefined;
        resolve(performance.now() - since);
      };
    });
  }
}

/** What is in the way of a quick return is measured as it is set up by default. */
const defaults = { CLOSING_GRACE_MS: '5000', RECONNECT_GRACE_MS: '10000', NODE_LEASE_MS: '3000' };

const cluster = await Cluster.start(options.nodes, defaults, {
  front: options.nginx ? 'nginx' : 'turns',
});
const rows: Row[] = [];
let timer: NodeJS.Timeout | undefined;
try {
  const sourceUrl = cluster.integrator.serve('failover.docx', { bytes: wordSource() });
  const typists: Typist[] = [];
  await inParallel(options.documents, 8, async (document) => {
    for (let number = 0; number < options.people; number += 1) {
      const typist = new Typist(cluster, `failover-${document}`, `u${number}-`, sourceUrl);
      await typist.client.open();
      typists.push(typist);
    }
  });
  progress(`${typists.length} people type`);
  let turn = 0;
  timer = setInterval(() => {
    // Spread over the time: a tenth of them each tenth of it.
    for (let at = turn % 10; at < typists.length; at += 10) typists[at]!.type();
    turn += 1;
  }, typeEveryMs / 10);
  await delay(5_000);
  for (let kill = 0; kill < options.kills; kill += 1) {
    const node = cluster.nodes[kill % cluster.nodes.length]!;
    for (const typist of typists) typist.lost = false;
    const since = performance.now();
    const again = typists.map((typist) => typist.typesAgain(since));
    await node.quire.kill();
    const times = await Promise.all(again);
    const ofNode = times.filter((_ms, at) => typists[at]!.lost);
    const ofOthers = times.filter((_ms, at) => !typists[at]!.lost);
    rows.push({
      killed: node.name,
      'people on it': ofNode.length,
      ...timesOf('on it', ofNode),
      ...timesOf('elsewhere', ofOthers),
    });
    await node.quire.restart();
    await delay(10_000);
  }
  for (let stop = 0; stop < options.stops; stop += 1) {
    const node = cluster.nodes[stop % cluster.nodes.length]!;
    for (const typist of typists) {
      Object.assign(typist, { lost: false, longestWaitMs: 0, losses: 0, longestAwayMs: 0 });
    }
    await node.quire.stop();
    await delay(settlingMs);
    const waits = (lost: boolean) =>
      typists.filter((typist) => typist.lost === lost).map(({ longestWaitMs }) => longestWaitMs);
    const left = typists.filter(({ lost }) => lost);
    rows.push({
      stopped: node.name,
      'people on it': waits(true).length,
      ...timesOf('on it', waits(true)),
      ...timesOf('elsewhere', waits(false)),
      'losses of a connection': left.reduce((sum, { losses }) => sum + losses, 0),
      ...timesOf(
        'away',
        left.map(({ longestAwayMs }) => longestAwayMs),
      ),
    });
    await node.quire.restart();
    await delay(10_000);
  }
  clearInterval(timer);
  await Promise.all(
    typists.map(({ client }) => Promise.race([client.close().catch(() => undefined), delay(5_000)])),
  );
} finally {
  clearInterval(timer);
  await cluster.close();
}
report('failover', options, rows);
process.exit();
