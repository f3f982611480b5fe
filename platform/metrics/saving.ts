import { Counter, Histogram, type Registry } from 'prom-client';
import { type SaveRefusal, type SessionMetrics, saveRefusals } from '../ports/session-metrics.ts';
import { countBuckets, recordMs, timeBuckets } from './conventions.ts';

/** The path of a save, from its message to what others are sent of it. */
export class SavingMetrics implements SessionMetrics {
  readonly #acknowledgement: Histogram;
  readonly #refusals: Counter<'reason'>;
  readonly #granted: ReturnType<Histogram<'outcome'>['labels']>;
  readonly #askAgain: ReturnType<Histogram<'outcome'>['labels']>;
  readonly #recipients: Histogram;
  readonly #encoding: Histogram;
  readonly #commitDuration: Histogram;
  readonly #commitBatches: Histogram;
  #fannedOutCharacters = 0;
  #historyHits = 0;
  #historyMisses = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    const buckets = timeBuckets;
    this.#acknowledgement = new Histogram({
      name: 'quire_save_acknowledgement_seconds',
      help: 'From the receipt of the last message of a save to its acknowledgement (`unSaveLock`), after the commit.',
      ...{ buckets, registers },
    });
    this.#refusals = new Counter({
      name: 'quire_saves_refused_total',
      help: 'Batches of changes that were not taken: `overtaken` (somebody else was first; the client asks again), `stale` (the client comes back), `no_log` (no answer of the log), `full`, `share` (of people with a part of the rights), `too_large` (to be sent to others), `malformed` (no change of the model), `rewriting` (what others have).',
      labelNames: ['reason'] as const,
      registers,
    });
    for (const reason of saveRefusals) this.#refusals.inc({ reason }, 0);
    const wait = new Histogram({
      name: 'quire_save_lock_wait_seconds',
      help: 'From `isSaveLock` to its answer: `granted`, or `ask_again` when it took too long.',
      labelNames: ['outcome'] as const,
      ...{ buckets, registers },
    });
    this.#granted = wait.labels('granted');
    this.#askAgain = wait.labels('ask_again');
    this.#recipients = new Histogram({
      name: 'quire_fan_out_recipients',
      help: 'Connections that a batch of changes was sent to.',
      ...{ buckets: countBuckets, registers },
    });
    this.#encoding = new Histogram({
      name: 'quire_fan_out_encoding_seconds',
      help: 'Making the message of a batch of changes, once for all whom it is sent to.',
      buckets: [0.000_01, 0.000_05, 0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1],
      registers,
    });
    this.#commitDuration = new Histogram({
      name: 'quire_change_commit_duration_seconds',
      help: 'From the first batch of a group to the end of its transaction.',
      ...{ buckets, registers },
    });
    this.#commitBatches = new Histogram({
      name: 'quire_change_commit_batches',
      help: 'Batches of changes that were committed together.',
      ...{ buckets: countBuckets, registers },
    });
    const fannedOut = () => this.#fannedOutCharacters;
    new Counter({
      name: 'quire_fan_out_bytes_total',
      help: 'Size of the messages with changes, times whom they were sent to; characters outside ASCII count as one.',
      registers,
      collect() {
        this.reset();
        this.inc(fannedOut());
      },
    });
  }

  acknowledged(receivedAtMs: number): void {
    this.#acknowledgement.observe((performance.now() - receivedAtMs) / 1_000);
  }

  refused(reason: SaveRefusal): void {
    this.#refusals.inc({ reason });
  }

  saveLockAnswered(granted: boolean, waitedMs: number): void {
    (granted ? this.#granted : this.#askAgain).observe(waitedMs / 1_000);
  }

  fannedOut(recipients: number, characters: number, encodingMs: number): void {
    this.#recipients.observe(recipients);
    this.#encoding.observe(encodingMs / 1_000);
    this.#fannedOutCharacters += recipients * characters;
  }

  historyRead(isCached: boolean): void {
    if (isCached) this.#historyHits += 1;
    else this.#historyMisses += 1;
  }

  /** How often a part of a history was in memory, and how often it was not. */
  get historyReads(): { hits: number; misses: number } {
    return { hits: this.#historyHits, misses: this.#historyMisses };
  }

  /** A group of batches was committed, or refused as one. */
  committed(batches: number, elapsedMs: number): void {
    this.#commitBatches.observe(batches);
    recordMs(this.#commitDuration, elapsedMs);
  }
}
