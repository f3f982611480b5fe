import type { Answers, Cluster, QuestionName, Questions } from '../../platform/ports/cluster.ts';
import { late, within } from '../../platform/within.ts';
import { AdminError } from './admin-error.ts';
import type { MissingSource } from './api.ts';

/** An answer is given after this time at the latest, with what is there by then, milliseconds. */
const waitMs = 1_400;
/** How long other nodes are waited for, so that the answers of those that live are there in time. */
export const nodesWaitMs = 700;

/** So much later the answers of those who did answer have come together. */
const graceMs = 50;

/** Gathers what one answer is made of. What is not there in time is left out, and the answer names where it would come from. */
export class PartialAnswer {
  readonly #missing = new Set<MissingSource>();
  readonly #untilMs = performance.now() + waitMs;

  /** The sources of which something is missing. */
  get missing(): MissingSource[] {
    return [...this.#missing].sort();
  }

  /** What `source` has been asked for; null when that fails, or is not there in time. */
  async of<Value>(
    source: MissingSource,
    asked: Promise<Value | null>,
    mostMs = waitMs,
  ): Promise<Value | null> {
    const leftMs = Math.min(mostMs, Math.max(0, this.#untilMs - performance.now()));
    const value = await within(
      leftMs,
      asked.catch(() => null),
    );
    if (value !== null && value !== late) return value;
    this.#missing.add(source);
    return null;
  }

  /** The answers of all nodes; of this one alone while the others cannot be asked, for example because Redis is away. */
  async ofNodes<Name extends QuestionName>(
    cluster: Cluster,
    name: Name,
    asked: Questions[Name]['asked'],
  ): Promise<Answers<Questions[Name]['answer']>> {
    // A node may have asked for something else of this answer before.
    const known = this.#missing.has('nodes') ? null : cluster.ask(name, asked, { deadlineMs: nodesWaitMs });
    const all = known && (await this.of('nodes', known, nodesWaitMs + graceMs));
    return all ?? cluster.ask(name, asked, { nodeIds: [cluster.nodeId], deadlineMs: nodesWaitMs });
  }
}

/**
 * What an answer cannot be without.
 * @throws AdminError when the database does not answer in time
 */
export async function found<Value>(asked: Promise<Value | null>): Promise<Value | null> {
  const answered = await new PartialAnswer().of(
    'database',
    asked.then((value) => ({ value })),
  );
  if (!answered) {
    const sentence = 'The database does not answer now. Try again later.';
    throw new AdminError('unavailable', sentence, { part: 'database' });
  }
  return answered.value;
}
