import type { PartHealth } from '../../platform/part-health.ts';
import type { PartName } from '../../platform/ports/cluster.ts';
import { QuireError } from '../../platform/quire-error.ts';
import { late, within } from '../../platform/within.ts';
import { AdminError } from './admin-error.ts';

/** An action is answered after this time at the latest, so that the whole request takes less than two seconds. */
const waitMs = 1_400;

const partNames: Readonly<Record<PartName, string>> = {
  database: 'PostgreSQL',
  redis: 'Redis',
  files: 'The directory or bucket of the files',
  converters: 'Every converter',
};

/** What operators do needs a part of the server. It is answered in time also while that is away. */
export class Actions {
  readonly #health: Pick<PartHealth, 'known'>;

  constructor(health: Pick<PartHealth, 'known'>) {
    this.#health = health;
  }

  /**
   * Does something that needs `part`. While that is known to be away it is not asked at all: what waits for it would be done some time
   * later, when nobody expects it.
   * @throws AdminError `unavailable`: nothing was done; `unanswered`: it may have been done; others are those of `work`
   */
  async done<Result>(part: PartName, work: () => Promise<Result>): Promise<Result> {
    this.#refuseWithout(part);
    try {
      const result = await within(waitMs, work());
      if (result === late) throw unanswered(part);
      return result;
    } catch (error) {
      if (error instanceof AdminError || !isAway(error)) throw error;
      throw unanswered(part);
    }
  }

  #refuseWithout(part: PartName): void {
    const known = this.#health.known().find((one) => one.part === part);
    if (known?.isUp !== false) return;
    const { reason } = known;
    const why = reason ? ` (${reason})` : '';
    throw new AdminError(
      'unavailable',
      `${partNames[part]} does not answer${why}. Nothing was done: try again when it is back.`,
      { part },
    );
  }
}

const unanswered = (part: PartName): AdminError =>
  new AdminError(
    'unanswered',
    `${partNames[part]} did not answer in time. It may have been done all the same: look before you try again.`,
    { part },
  );

/** Of sockets; and SQLSTATEs of lost connections, of a server that stops, and of one that has no room (PostgreSQL, appendix A). */
const codesOfAway =
  /^(E(CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN|NOTFOUND)|08\w{3}|57P\d\d|57014|53\w{3})$/;
/** pg and ioredis have no codes for these. */
const sentencesOfAway =
  /^(Connection terminated|Client has encountered a connection error|Connection is closed)/;

/** Whether something failed because what was asked is away, and not because of a fault of this program. */
function isAway(error: unknown): boolean {
  if (error instanceof QuireError) return error.retryable;
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return codesOfAway.test(String(code)) || sentencesOfAway.test(error.message);
}
