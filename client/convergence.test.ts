import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentClient, type Ended } from './index.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { FakeServer, type FakeServerOptions } from './testing/fake-server.ts';
import { type MemoryLink, MemoryNetwork } from './testing/memory-link.ts';
import { ModelDocument } from './testing/model-document.ts';

type Step =
  | { do: 'deliver'; picks: number[] }
  | { do: 'edit'; client: number; edits: number }
  | { do: 'cut'; client: number; late: number }
  | { do: 'move'; client: number }
  | { do: 'wait'; ms: number };

const clientCount = 3;
const clientIndex = fc.nat(clientCount - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('deliver'), picks: fc.array(fc.nat(50), { maxLength: 12 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('edit'),
      client: clientIndex,
      edits: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cut'), client: clientIndex, late: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), client: clientIndex }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.integer({ min: 1, max: 3_000 }) }) },
);

const promises = () => new Promise((resolve) => setImmediate(resolve));

/** Three editors of one document on a network that delivers in any order between links and breaks anywhere. */
class Trial {
  readonly clock = new FakeClock();
  readonly network = new MemoryNetwork();
  readonly server: FakeServer;
  readonly editors: { client: DocumentClient; document: ModelDocument; links: MemoryLink[] }[] = [];
  readonly ended: Ended[] = [];
  readonly edits: string[][] = Array.from({ length: clientCount }, () => []);

  constructor(options: FakeServerOptions) {
    this.server = new FakeServer({ ...options, defer: this.network.defer });
    for (let index = 0; index < clientCount; index++) {
      const document = new ModelDocument();
      const links: MemoryLink[] = [];
      const dial = this.network.dial(this.server.accept);
      const client = new DocumentClient({
        url: 'http://server.test',
        key: 'doc',
        transport: (credentials, handlers) => {
          const transport = dial(credentials, handlers);
          links.push(this.network.links.at(-1)!);
          return transport;
        },
        auth: { user: { id: `user${'abc'[index]}` } },
        hooks: document,
        clock: this.clock,
        reconnect: { attempts: 1_000 },
      });
      client.on('ended', (ended) => this.ended.push(ended));
      client.open().catch(() => {});
      this.editors.push({ client, document, links });
    }
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'deliver':
        for (const pick of step.picks) {
          this.network.deliverOne(pick);
          await Promise.resolve();
        }
        break;
      case 'edit': {
        const { client, document } = this.editors[step.client]!;
        const edits = this.edits[step.client]!;
        for (let edit = 0; edit < step.edits; edit++) {
          const name = `${step.client}-${edits.length}`;
          edits.push(name);
          document.edit(name);
        }
        client.queueSave();
        break;
      }
      case 'cut':
        this.editors[step.client]!.links.at(-1)?.cut(step.late);
        break;
      case 'move':
        this.editors[step.client]!.links.at(-1)?.send({ type: 'quireMove' });
        break;
      case 'wait':
        this.clock.advance(step.ms);
        break;
    }
    await promises();
  }

  get converged(): boolean {
    return this.editors.every(
      ({ client, document }) =>
        client.status.connection === 'ready' &&
        client.status.saved &&
        document.confirmed.length === this.server.log.length,
    );
  }

  /** The network holds from now on: everybody comes back and finishes. */
  async heal(): Promise<void> {
    for (let turn = 0; turn < 500; turn++) {
      await this.network.settle();
      if (this.converged || !this.clock.runNext()) return;
    }
  }

  check(): void {
    const log = this.server.log.map(({ change }) => JSON.parse(change) as string);
    expect(this.ended).toEqual([]);
    expect(this.converged).toBe(true);
    log.forEach((entry, index) => {
      expect(entry.split('@')[1]).toBe(String(index));
    });
    for (const { document } of this.editors) {
      expect(document.confirmed).toEqual(log);
      expect(document.unconfirmedCount).toBe(0);
    }
    this.edits.forEach((edits, index) => {
      const stored = log.map((entry) => entry.split('@')[0]!).filter((name) => name.startsWith(`${index}-`));
      expect(stored).toEqual(edits);
    });
  }
}

async function converges(steps: Step[], options: FakeServerOptions): Promise<void> {
  const trial = new Trial(options);
  for (const step of steps) await trial.run(step);
  await trial.heal();
  trial.check();
  for (const { client } of trial.editors) client.abort();
  expect(trial.clock.pending).toBe(0);
}

describe('convergence', () => {
  const steps = fc.array(step, { maxLength: 60, size: 'max' });
  const options = fc.record({ refuseSaveLock: fc.boolean(), maxPartChars: fc.constantFrom(30, 1_572_864) });
  const overtaking = options.map((chosen) => ({ ...chosen, grantToAll: true }));
  const uncut = fc.array(
    step.filter(({ do: what }) => what !== 'cut' && what !== 'move'),
    { maxLength: 60, size: 'max' },
  );

  it('[C30] [SU69] whatever breaks, and whenever clients are told to move, no change is lost or doubled, order is kept and all clients converge', async () => {
    await fc.assert(fc.asyncProperty(steps, options, converges), { numRuns: 250 });
  });

  it('[MN33] with a save lock that several have at once, all still converge', async () => {
    await fc.assert(fc.asyncProperty(steps, overtaking, converges), { numRuns: 250 });
  });

  it('[MN34] whose batch is overtaken goes on with the same connection', async () => {
    let overtaken = 0;
    const goesOn = async (taken: Step[], chosen: FakeServerOptions) => {
      const trial = new Trial(chosen);
      const lost: string[] = [];
      for (const { client } of trial.editors) client.on('lost', (detail) => lost.push(detail));
      for (const one of taken) await trial.run(one);
      await trial.heal();
      trial.check();
      expect(lost).toEqual([]);
      const answers = trial.editors.flatMap(({ links }) => links).length;
      expect(answers).toBe(clientCount);
      overtaken += trial.server.refusals;
      for (const { client } of trial.editors) client.abort();
    };
    await fc.assert(fc.asyncProperty(uncut, overtaking, goesOn), { numRuns: 150 });
    expect(overtaken).toBeGreaterThan(50);
  });
});
