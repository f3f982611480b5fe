import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CONVERSION_ERROR } from '../../converter/errors.ts';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { ConversionRequestRecords } from '../../db/conversion-requests.ts';
import type { ProgressRow } from '../../db/conversions.ts';

/** A claim lives this long without being renewed. */
export const claimLapseMs = 30_000;
const renewEveryMs = 10_000;
const lookEveryMs = 500;

/** What a request needs done. `concern`: hears which conversion it is that the request waits for. */
export type RequestedWork = (concern: (conversionId: string) => Promise<void>) => Promise<ConversionOutcome>;

/**
 * Work under names that integrators gave (integration API, 9.3): done once for all who ask for it, on any node; those
 * who ask later are given the outcome, also a failure, as long as results are kept.
 */
export class ConversionRequests {
  readonly #records: ConversionRequestRecords<ConversionOutcome>;
  readonly #timeoutMs: number;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<ConversionOutcome | null>>();
  /** Claims that this node holds, by the names they are on. */
  readonly #claims = new Map<string, string>();
  #renewing: NodeJS.Timeout | null = null;

  /** `timeoutMs`: how long another node is waited for. */
  constructor(records: ConversionRequestRecords<ConversionOutcome>, timeoutMs: number, log: Logger) {
    this.#records = records;
    this.#timeoutMs = timeoutMs;
    this.#log = log;
  }

  /** Waits for the outcome. */
  async run(name: string, work: RequestedWork): Promise<ConversionOutcome> {
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

  /** Begins the work if nobody has; null while it is under way. When `admit` throws, it is not begun here. */
  async start(
    name: string,
    work: RequestedWork,
    admit: () => Promise<void> = async () => undefined,
  ): Promise<ConversionOutcome | null> {
    if (this.#running.has(name)) return null;
    const known = await this.#records.find(name);
    if (known) return known;
    await admit();
    this.#begin(name, work).catch(() => undefined);
    return null;
  }

  /** How far the conversion is that a request waits for; null when it waits for none, as while its source is fetched. */
  progressOf(name: string): Promise<ProgressRow | null> {
    return this.#records.progressOf(name);
  }

  /** The outcome; null when another node works on it. */
  #begin(name: string, work: RequestedWork): Promise<ConversionOutcome | null> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const begun = this.#work(name, work).finally(() => this.#running.delete(name));
    this.#running.set(name, begun);
    return begun;
  }

  async #work(name: string, work: RequestedWork): Promise<ConversionOutcome | null> {
    const claim = randomUUID();
    const { mine, outcome: known } = await this.#records.claim(name, claim);
    if (!mine) return known;
    this.#hold(name, claim);
    try {
      const outcome = await work((conversionId) => this.#records.concern(name, claim, conversionId));
      await this.#records.end(name, claim, outcome);
      return outcome;
    } catch (error) {
      await this.#records.release(name, claim).catch(() => undefined);
      throw error;
    } finally {
      this.#claims.delete(name);
    }
  }

  /** All claims are renewed by one statement, however many requests wait. */
  #hold(name: string, claim: string): void {
    this.#claims.set(name, claim);
    this.#renewing ??= setInterval(() => {
      if (this.#claims.size === 0) {
        clearInterval(this.#renewing!);
        this.#renewing = null;
        return;
      }
      this.#records.renew(this.#claims).catch((error: unknown) => {
        this.#log.warn({ err: error }, 'Claims on conversions could not be renewed');
      });
    }, renewEveryMs);
  }
}
