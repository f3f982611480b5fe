import engineUrl from '../../../model/calculation/engine/calculation.wasm?url';
import { compileEngine } from '../../../model/calculation/engine-instance.ts';
import type { CalculationRequest } from '../../../model/cell/calculation-feed.ts';
import {
  type CalculationAnswer,
  CalculationHost,
  type RuleAnswer,
  type RuleQuestion,
} from '../../../model/cell/calculation-host.ts';

/** What a page tells the worker: what the calculation is to know, as long as it is told to calculate; or what it wants to know of rules. */
export type WorkerRequest = CalculationRequest | { readonly questions: readonly RuleQuestion[] };
/**
 * What the worker answers to a request with a moment, or to questions; `null` when the engine broke down for good. `begun` comes
 * first, so that a request that takes too long is told from a worker that is not there.
 */
export type WorkerAnswer = CalculationAnswer | { readonly answers: readonly RuleAnswer[] } | 'begun' | null;

/** What is used of a worker's own scope. */
interface WorkerScope {
  onmessage: ((event: { readonly data: WorkerRequest }) => void) | null;
  postMessage(answer: WorkerAnswer): void;
}
const scope = globalThis as unknown as WorkerScope;

/** Requests wait for the engine. */
const host = fetch(engineUrl)
  .then((response) => response.arrayBuffer())
  .then((bytes) => new CalculationHost(compileEngine(new Uint8Array(bytes))));

let last: Promise<void> = Promise.resolve();
scope.onmessage = ({ data }) => {
  last = last.then(async () => {
    try {
      const ready = await host;
      scope.postMessage('begun');
      const answer = 'questions' in data ? { answers: ready.answer(data.questions) } : ready.take(data);
      if (answer) scope.postMessage(answer);
    } catch (error) {
      scope.postMessage(null);
      throw error;
    }
  });
};
