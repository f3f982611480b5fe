import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type MessagePort, workerData } from 'node:worker_threads';
import { compileEngine } from '../../../../model/calculation/engine-instance.ts';
import type { CalculationRequest } from '../../../../model/cell/calculation-feed.ts';
import {
  type CalculatedPlace,
  type CalculationAnswer,
  CalculationHost,
} from '../../../../model/cell/calculation-host.ts';
import { lastAnswer } from '../../../../model/cell/told-values.ts';
import { packageRoot } from '../../../../platform/package-root.ts';
import { help, type RunningTask } from '../../running-task.ts';

/** What the thread is started with: whoever asks sleeps until `isAnswered` is 1. */
export interface CalculationThreadStart {
  readonly port: MessagePort;
  readonly isAnswered: Int32Array;
}

/** A workbook as it was, then as it is. */
export interface CalculationJob {
  /** How many steps all formulas together may take. */
  readonly mostSteps: number;
  readonly requests: readonly CalculationRequest[];
  /** Where values are told also where they are no others. */
  readonly wanted: readonly CalculatedPlace[];
  /** The task of the engine thread that asks; null where another thread does. */
  readonly running: RunningTask | null;
}

/** The values that are others than they were, or all where those cannot be told apart; null when the engine broke down. */
export type CalculationOutcome = CalculationAnswer | null;

const engineFile = path.join(packageRoot, 'model', 'calculation', 'engine', 'calculation.wasm');
const engine = compileEngine(readFileSync(engineFile));
const { port, isAnswered } = workerData as CalculationThreadStart;

port.on('message', ({ requests, wanted, running, mostSteps }: CalculationJob) => {
  if (running) help(running);
  let outcome: CalculationOutcome = null;
  try {
    // One of its own for each job: what it takes is free again after it.
    const host = new CalculationHost(engine, { mostStepsInAll: mostSteps });
    outcome = lastAnswer(host, requests, wanted);
  } catch {
    outcome = null;
  }
  port.postMessage(outcome);
  Atomics.store(isAnswered, 0, 1);
  Atomics.notify(isAnswered, 0);
});
