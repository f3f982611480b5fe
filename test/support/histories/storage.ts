import { createHash } from 'node:crypto';
import { type Answer, accepted, type ReceivedCallback, type TestIntegrator } from '../integrator.ts';
import type { History } from './history.ts';
import { type KeptModel, textsInFile } from './kept-texts.ts';

const refusals: readonly Answer[] = [
  { status: 500, body: '' },
  { status: 200, body: '{"error":1}' },
  { status: 200, body: '<html></html>' },
  'cut',
];
const fetchMs = 3_000;

/** What the integrator's storage does with what it is handed. */
export type StorageMood = 'takes' | 'refuses' | 'is silent' | 'loses its answers';

/** The integrator's side: fetches each file it is told of, keeps what it got in the history, and answers by its mood. */
export class HistoryStorage {
  mood: StorageMood = 'takes';
  /** Whatever its mood, it answers with errors. */
  isAway = false;
  readonly #history: History;
  readonly #modelOf: (key: string) => KeptModel | null;
  #turn = 0;

  constructor(history: History, modelOf: (key: string) => KeptModel | null) {
    this.#history = history;
    this.#modelOf = modelOf;
  }

  attach(integrator: TestIntegrator): void {
    integrator.answerAll((callback) => this.#answer(callback));
  }

  async #answer(callback: ReceivedCallback): Promise<Answer> {
    const { key, status, body } = callback;
    if (status === 1) return accepted;
    const { mood } = this;
    this.#turn += 1;
    if (mood === 'is silent' && !this.isAway) return 'never';
    if (mood === 'refuses' || this.isAway) return refusals[this.#turn % refusals.length]!;
    const url = typeof body.url === 'string' ? body.url : null;
    const bytes = url === null ? null : await fetchBytes(url);
    // A file that cannot be fetched is not confirmed.
    if (url !== null && bytes === null) return refusals[0]!;
    const accepts = mood === 'takes';
    const model = this.#modelOf(key);
    this.#history.record({
      kind: 'receives',
      ...{ key, status, url, accepts },
      sha256: bytes && createHash('sha256').update(bytes).digest('hex'),
      texts: bytes && model && textsInFile[model](bytes),
    });
    return accepts ? accepted : 'cut';
  }
}

async function fetchBytes(url: string): Promise<Uint8Array | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(fetchMs) });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null;
  }
}
