import type { ReplaceResult, StoredBatch } from '../../../platform/ports/change-log.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Member } from './member.ts';
import type { OpenDocument } from './open-document.ts';
import type { SaveLock } from './save-lock.ts';

/** `refused`: this member may not take those changes out. Otherwise what the log says. */
export type CutResult = ReplaceResult | { kind: 'refused' };

/**
 * Takes changes out of the log of one document. Who may do that is decided here and nowhere else: an editor who has been given the
 * log to its end and has the save lock may take back what this session has stored itself, until another editor was given it. An
 * index that a client names is what it wishes, no more; who made the changes, the log knows.
 */
export class LogCut {
  readonly #document: OpenDocument;
  readonly #saveLock: SaveLock;
  readonly #feed: ChangeFeed;

  constructor(document: OpenDocument, saveLock: SaveLock, feed: ChangeFeed) {
    this.#document = document;
    this.#saveLock = saveLock;
    this.#feed = feed;
  }

  /** In one step: takes out every change numbered `fromIndex` and up, then puts `batch` there. Rejects when the log does not answer. */
  async replaceFrom(member: Member, fromIndex: number, batch: StoredBatch | null): Promise<CutResult> {
    const refused: CutResult = { kind: 'refused' };
    if (!this.#document.mayChange(member)) return refused;
    if (!(await this.#saveLock.takeOrExtend(member, 0))) return refused;
    const { key, endIndex: expectedEnd, ports } = this.#document;
    const { shared } = this.#saveLock;
    if (!(await shared.mayRewrite(fromIndex))) return refused;
    try {
      const by = member.author.uniqueId;
      const result = await ports.log.replaceFrom({ key, expectedEnd, fromIndex, by, batch });
      if (result.kind === 'appended') this.#feed.rewritten(fromIndex);
      return result;
    } finally {
      await shared.rewritten();
    }
  }
}
