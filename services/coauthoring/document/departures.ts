import type { Admission } from './admission.ts';
import type { Departed, Present } from './company.ts';
import type { Locking } from './locking.ts';
import type { OpenDocument } from './open-document.ts';
import type { Presence } from './presence.ts';
import type { SaveTurns } from './save-turns.ts';
import type { ViewerFeed } from './viewer-feed.ts';

export interface DepartureParts {
  presence: Presence;
  turns: SaveTurns;
  locking: Locking;
  admission: Admission;
  viewers: ViewerFeed;
}

/**
 * Sees to what those leave behind who are gone from one document: their turn, their locks, whoever waits for them, and,
 * when it was the last editor, the document. Who takes somebody out of the company does it, and nobody else.
 */
export class Departures {
  readonly #document: OpenDocument;
  readonly #parts: DepartureParts;

  constructor(document: OpenDocument, parts: DepartureParts) {
    this.#document = document;
    this.#parts = parts;
  }

  /** Connections are gone. `now`: they said so themselves. */
  async of(isGone: (one: Present) => boolean, now: boolean): Promise<void> {
    await this.seeTo(await this.#parts.presence.leave(isGone), now);
  }

  /**
   * Nodes that are dead now, with everybody on them, on this node's watch. One that lives again sends its members away
   * itself.
   */
  async ofTheDead(): Promise<void> {
    const { nodes } = this.#document.ports;
    if (!nodes) return;
    const living = await nodes.leases.living();
    const { nodeId: own } = this.#document;
    const isGone = (nodeId: string) => nodeId !== own && !living.has(nodeId);
    await this.#parts.turns.forgetNode(isGone);
    await this.of(({ nodeId }) => isGone(nodeId), false);
  }

  async seeTo(departed: readonly Departed[], now: boolean): Promise<void> {
    for (const one of departed) await this.#seeToOne(one, now);
    if (departed.length > 0) await this.#parts.admission.letIn();
  }

  async #seeToOne({ departed, stillHere, wasLastEditor }: Departed, now: boolean): Promise<void> {
    const { presence, turns, locking, viewers } = this.#parts;
    const { key, ports } = this.#document;
    const { uniqueId, connectionId, visitor } = departed;
    if (stillHere) return;
    presence.announce(uniqueId, false);
    if (departed.view || !visitor) return turns.count();
    await turns.release({ connectionId, userId: uniqueId });
    await locking.releaseAndTell(uniqueId, false);
    if (!wasLastEditor) {
      const editors = this.#document.editorIds();
      if (editors.length > 0) ports.lifecycle.editorLeft(key, visitor, editors);
      return;
    }
    await viewers.show();
    await ports.lifecycle.lastEditorLeft(key, visitor, now);
    if (!ports.nodes) return;
    // Somebody may have come meanwhile, on another node, and found the document open.
    await this.#document.tolerantly(() => presence.refresh());
    if (this.#document.editors().length > 0) await ports.lifecycle.editorIsBack(key);
  }
}
