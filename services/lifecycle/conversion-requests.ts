import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ConversionOutcome } from '../../converter/conversion.ts';
import { CONVERSION_ERROR } from '../../converter/errors.ts';
import type { ConversionRequestRecords } from '../../db/conversion-requests.ts';

/** A claim lives this long without being renewed. */
export const claimLapseMs = 30_000;
const renewEveryMs = 10_000;
const lookEveryMs = 500;

/**
 * Work under names that integrators gave (integration API, 9.3): done once, whoever asks for it, on whichever node; who
 * comes later is given the outcome, a failure too, for a day.
 */
export class ConversionRequests {
  readonly #records: ConversionRequestRecords<ConversionOutcome>;
  readonly #timeoutMs: number;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<ConversionOutcome | null>>();

  /** `timeoutMs`: how long another node is waited for. */
  constructor(records: ConversionRequestRecords<ConversionOutcome>, timeoutMs: number, log: Logger) {
    this.#records = records;
    this.#timeoutMs = timeoutMs;
    this.#log = log;
  }

  /** Waits for the outcome. */
  async run(name: string, work: () => Promise<ConversionOutcome>): Promise<ConversionOutcome> {
    const deadlineMs = performance.now() + this.#timeoutMs;
    for (;;) {
      const outcome = await this.#begin(name, work);
      if (outcome) return outcome;
      if (performance.now() > deadlineMs) {
        return { ok: false, errorCode: CONVERSION_ERROR.timeout, message: 'The conversion took too long' };
      }
      await sleep(lookEveryMs);
    }
  }

  /** Begins the work if nobody has; null while it is under way. */
  async start(name: string, work: () => Promise<ConversionOutcome>): Promise<ConversionOutcome | null> {
    if (this.#running.has(name)) return null;
    const known = await this.#records.find(name);
    if (known) return known;
    this.#begin(name, work).catch(() => undefined);
    return null;
  }

  /** The outcome; null when another node works on it. */
  #begin(name: string, work: () => Promise<ConversionOutcome>): Promise<ConversionOutcome | null> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const begun = this.#work(name, work).finally(() => this.#running.delete(name));
    this.#running.set(name, begun);
    return begun;
  }

  async #work(name: string, work: () => Promise<ConversionOutcome>): Promise<ConversionOutcome | null> {
    const claim = randomUUID();
    const { mine, outcome: known } = await this.#records.claim(name, claim);
    if (!mine) return known;
    const renewing = setInterval(() => {
      this.#records.renew(name, claim).catch((error: unknown) => {
        this.#log.warn({ err: error }, 'A claim on a conversion could not be renewed');
      });
    }, renewEveryMs);
    try {
      const outcome = await work();
      await this.#records.end(name, claim, outcome);
      return outcome;
    } catch (error) {
      await this.#records.release(name, claim).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }
}
