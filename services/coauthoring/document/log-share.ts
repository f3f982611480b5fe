import type { Author } from '../../../platform/ports/change-log.ts';
import type { OpenDocument } from './open-document.ts';

/** Of what the changes of one document may take: the part of all people who have a part of the rights, and of each of them. */
const shareOfAll = 0.1;
const shareOfOne = 0.05;
/** After so much of the share of all it is looked up what other nodes stored. */
const lookAgainAfter = 1 / 64;

/**
 * What people with a part of the rights may add to one document's log, so that there is room for those who edit it. The log says
 * how much they have used: of one person by the integrator's id, in all their sessions, on every node. What is kept of that
 * here is looked up again before anybody is refused.
 */
export class LogShare {
  readonly #document: OpenDocument;
  #usedByAll = 0;
  readonly #usedByOne = new Map<string, number>();
  #sinceLookUp = 0;

  constructor(document: OpenDocument) {
    this.#document = document;
  }

  /** Whether this author may add so much. What may be added counts as used. Rejects when the log does not answer. */
  async takes({ userId, stamp }: Author, characters: number): Promise<boolean> {
    if (stamp?.may === undefined) return true;
    const ofAll = this.#document.ports.maxLogBytes * shareOfAll;
    const ofOne = this.#document.ports.maxLogBytes * shareOfOne;
    const fits = () =>
      this.#usedByAll + characters <= ofAll && (this.#usedByOne.get(userId) ?? 0) + characters <= ofOne;
    const isOld = this.#sinceLookUp + characters > ofAll * lookAgainAfter;
    if (isOld || !this.#usedByOne.has(userId) || !fits()) await this.#lookUp(userId, isOld);
    if (!fits()) return false;
    this.#usedByAll += characters;
    this.#usedByOne.set(userId, (this.#usedByOne.get(userId) ?? 0) + characters);
    this.#sinceLookUp += characters;
    return true;
  }

  async #lookUp(userId: string, forgetsOthers: boolean): Promise<void> {
    const { key, ports } = this.#document;
    const { all, own } = await ports.log.sizeOfLimited(key, userId);
    if (forgetsOthers) this.#usedByOne.clear();
    this.#usedByAll = all;
    this.#usedByOne.set(userId, own);
    this.#sinceLookUp = 0;
  }
}
