import { DisconnectCode } from '../../../client/protocol/index.ts';
import { fanOut } from './fan-out.ts';
import { missed } from './history.ts';
import type { Member } from './member.ts';
import { type OpenDocument, send } from './open-document.ts';

/** Somebody who looks on while others write. */
export const isLiveViewer = (member: Member): boolean =>
  member.view && member.live && (member.state === 'active' || member.state === 'joining');

/**
 * What live viewers are shown. No message can take back what they were given, but an editor who is alone may take back
 * what it has saved: its newest changes are therefore held for a while. What is taken back after that cannot be undone
 * on the viewers' screens, who are asked to open the document anew (co-authoring protocol, 24.16).
 */
export class ViewerFeed {
  readonly #document: OpenDocument;
  readonly #run: (task: () => Promise<void>) => void;
  /** Every live viewer has the changes below this index. */
  #shownIndex = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `run` puts a timer's work in line with the document's other messages. */
  constructor(document: OpenDocument, run: (task: () => Promise<void>) => void) {
    this.#document = document;
    this.#run = run;
  }

  /**
   * Changes were stored up to the end of the log. Returns whether viewers are sent them with everybody else; if not,
   * they are sent them here, now where the changes are final and else after a while.
   */
  async stored(firstIndex: number, isFinal: boolean): Promise<boolean> {
    if (isFinal && firstIndex === this.#shownIndex) {
      this.#shownIndex = this.#document.endIndex;
      return true;
    }
    if (isFinal) await this.show();
    else this.#showLater();
    return false;
  }

  /** Shows everything now: it is final, or somebody (`except`) comes who is given the whole log. */
  async show(except: Member | null = null): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { endIndex } = this.#document;
    const fromIndex = this.#shownIndex;
    this.#shownIndex = endIndex;
    const viewers = this.#viewers().filter((one) => one !== except);
    if (viewers.length === 0 || fromIndex >= endIndex) return;
    try {
      for await (const { frame } of missed(this.#document, fromIndex, endIndex)) {
        await fanOut(viewers, frame);
      }
    } catch (error) {
      // What else is broadcast now is sent all the same; they come back for what they lack.
      for (const viewer of viewers) viewer.peer.interrupt('changes could not be read', error);
    }
  }

  /** Everything from an index on was taken out of the log. */
  rewritten(fromIndex: number): void {
    if (fromIndex >= this.#shownIndex) return;
    this.#shownIndex = fromIndex;
    this.#document.shownChangesCut(Date.now());
    for (const viewer of this.#viewers()) {
      send(viewer, {
        type: 'error',
        code: DisconnectCode.restore,
        description: 'Restore error. Document modified.',
      });
      this.#document.closed(viewer, { asViewer: false });
      viewer.historyAck?.(false);
    }
  }

  /** Whether what a viewer was shown in a session that began then is still in the log. */
  isIntactSince(sessionBeganMs: number): boolean {
    return sessionBeganMs > this.#document.rewrittenAtMs;
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #viewers(): Member[] {
    return [...this.#document.members.values()].filter(isLiveViewer);
  }

  #showLater(): void {
    // Who comes later is given the whole log.
    if (this.#timer || this.#viewers().length === 0) return;
    this.#timer = setTimeout(() => this.#run(() => this.show()), this.#document.ports.times.viewerHoldMs);
  }
}
