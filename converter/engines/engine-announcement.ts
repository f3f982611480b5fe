import { randomUUID } from 'node:crypto';
import type { ConverterEngines } from '../../db/converter-engines.ts';
import type { Logger } from '../../platform/log.ts';
import { presentEngines } from '../formats/abilities.ts';
import type { EngineAbility } from './conversion-engine.ts';

const announceEveryMs = 20_000;

/** A converter process announces its engines regularly, so that servers know what can be converted. */
export class EngineAnnouncement {
  readonly #records: ConverterEngines;
  readonly #worker = randomUUID();
  readonly #abilities: readonly EngineAbility[];
  readonly #log: Pick<Logger, 'warn'>;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    records: ConverterEngines,
    abilities: readonly EngineAbility[],
    log: Pick<Logger, 'warn'>,
  ) {
    this.#records = records;
    this.#abilities = abilities;
    this.#log = log;
    this.#timer = setInterval(() => void this.#announce(), announceEveryMs);
  }

  static async begin(
    records: ConverterEngines,
    abilities: readonly EngineAbility[],
    log: Pick<Logger, 'warn'>,
  ): Promise<EngineAnnouncement> {
    const announcement = new EngineAnnouncement(records, abilities, log);
    await announcement.#announce();
    return announcement;
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#records.leave(this.#worker).catch(() => undefined);
  }

  /**
   * An announcement that fails is made again next time: a converter may start before a server has migrated the database.
   */
  async #announce(): Promise<void> {
    try {
      await this.#records.announce(this.#worker, presentEngines(this.#abilities));
    } catch (error) {
      this.#log.warn({ err: error }, 'The engines could not be announced');
    }
  }
}
