import type { Admission } from './admission.ts';
import type { Locking } from './locking.ts';
import type { OpenDocument } from './open-document.ts';
import type { LeaveOutcome, Participant } from './participants.ts';
import type { Presence } from './presence.ts';
import type { SaveLock } from './save-lock.ts';
import type { ViewerFeed } from './viewer-feed.ts';

export interface LeaveCleanupParts {
  presence: Presence;
  saveLock: SaveLock;
  locking: Locking;
  admission: Admission;
  viewers: ViewerFeed;
}

/**
 * Clears up after participants who have left a document: their save lock, their element locks, the newcomers who wait
 * for them, and, after the last editor, the document. Only the node that takes somebody out of the participants does
 * it.
 */
export class LeaveCleanup {
  readonly #document: OpenDocument;
  readonly #parts: LeaveCleanupParts;

  constructor(document: OpenDocument, parts: LeaveCleanupParts) {
    this.#document = document;
    this.#parts = parts;
  }

  /** A connection is gone, of this node if `own` says who it was. `now`: it said so itself. */
  async connectionEnded(id: string, own: Participant | null, now: boolean): Promise<void> {
    const isGone = ({ connectionId }: Participant) => connectionId === id;
    await this.cleanUp(await this.#parts.presence.leave(isGone, own ? [own] : []), now);
  }

  /**
   * Nodes that have died, as far as this node watched them, with everybody who was on them. A node that lives again
   * sends its old members away itself; those who have come to it since are others.
   */
  async nodesDied(): Promise<void> {
    const { nodeId: own, ports, participants } = this.#document;
    if (!ports.nodes) return;
    const before = new Set(participants.map(({ connectionId }) => connectionId));
    const living = await ports.nodes.leases.living();
    const isDead = (nodeId: string) => nodeId !== own && !living.has(nodeId);
    const { presence, saveLock } = this.#parts;
    const left = await presence.leave(
      ({ connectionId, nodeId }) => before.has(connectionId) && isDead(nodeId),
    );
    const again = new Set(this.#document.participants.map(({ nodeId }) => nodeId));
    try {
      await saveLock.forgetNode((nodeId) => isDead(nodeId) && !again.has(nodeId));
    } finally {
      await this.cleanUp(left, false);
    }
  }

  async cleanUp(left: readonly LeaveOutcome[], now: boolean): Promise<void> {
    for (const one of left) await this.#cleanUpOne(one, now);
    if (left.length > 0) await this.#parts.admission.letIn();
  }

  async #cleanUpOne(
    { participant, stillHere, wasLastEditor, wasUnknown }: LeaveOutcome,
    now: boolean,
  ): Promise<void> {
    const { presence, saveLock, locking, viewers } = this.#parts;
    const { key, ports } = this.#document;
    const { uniqueId, connectionId, visitor } = participant;
    if (stillHere) return wasUnknown && saveLock.withdraw(connectionId);
    presence.announce(uniqueId, false);
    if (participant.view || !visitor) return saveLock.shared.count();
    await saveLock.release({ connectionId, userId: uniqueId });
    await locking.releaseAndPublish(uniqueId, false);
    // The node that took it out, if one did, has published it. Recovery finds documents without editors.
    if (wasUnknown) return;
    if (!wasLastEditor) {
      const editors = this.#document.editorIds();
      if (editors.length > 0) ports.lifecycle.editorLeft(key, visitor, editors);
      return;
    }
    await viewers.show();
    await ports.lifecycle.lastEditorLeft(key, visitor, now);
    if (!ports.nodes) return;
    // Somebody may have come meanwhile, on another node, and found the document open.
    await this.#document.bestEffort(() => presence.refresh());
    if (this.#document.editors().length > 0) await ports.lifecycle.editorIsBack(key);
  }
}
