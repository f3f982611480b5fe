import type { Node } from 'prosemirror-model';
import type { Step } from 'prosemirror-transform';
import { decodeEnvelope } from '../../../../model/log/change.ts';
import { applyChange } from '../../../../model/word/change.ts';
import { AuthorRules } from '../../../../model/word/rights/author-rules.ts';
import type { DocumentRights } from '../../../../model/word/rights/document-rights.ts';
import { readStep } from '../../../../model/word/step-json.ts';
import type { AuthorChanges } from '../../../shell/history/change-archive.ts';

/** A version as it was opened. */
export interface OpenedVersion {
  readonly doc: Node;
  readonly rights: DocumentRights;
}

interface Written {
  readonly from: number;
  readonly to: number;
  readonly author: string;
}

/** Who wrote and who deleted, by positions in the document that the changes lead to. */
export class Authorship {
  readonly doc: Node;
  readonly #written: readonly Written[];
  readonly #cuts: readonly { readonly pos: number; readonly author: string }[];

  /** Replays changes on the version that they were made of. Changes that no replica applied are skipped here, too. */
  constructor(base: OpenedVersion, history: readonly AuthorChanges[]) {
    let { doc } = base;
    const rules = new AuthorRules(base.rights);
    let written: Written[] = [];
    let cuts: { pos: number; author: string }[] = [];
    for (const { author, changes, stamp } of history) {
      for (const change of changes) {
        const step = stepOf(change, doc);
        const after = applyChange(doc, { change, author: stamp }, rules);
        if (!step || typeof after === 'string') continue;
        doc = after;
        const map = step.getMap();
        written = written
          .map((span) => ({ ...span, from: map.map(span.from, 1), to: map.map(span.to, -1) }))
          .filter(({ from, to }) => to > from);
        cuts = cuts.map((cut) => ({ ...cut, pos: map.map(cut.pos) }));
        map.forEach((oldFrom, oldTo, newFrom, newTo) => {
          if (newTo > newFrom) written.push({ from: newFrom, to: newTo, author });
          if (oldTo > oldFrom) cuts.push({ pos: newTo, author });
        });
      }
    }
    this.doc = doc;
    this.#written = written;
    this.#cuts = cuts;
  }

  /** Who wrote which part of a stretch; null for parts that nobody did. Who wrote inside of others' text counts. */
  writersOf(from: number, to: number): { from: number; to: number; author: string | null }[] {
    const inside = this.#written.filter((span) => span.from < to && span.to > from);
    const edges = inside.flatMap((span) => [span.from, span.to]).filter((pos) => pos > from && pos < to);
    const cuts = [...new Set([from, ...edges, to])].sort((one, other) => one - other);
    const parts: { from: number; to: number; author: string | null }[] = [];
    for (const [index, start] of cuts.slice(0, -1).entries()) {
      const author = inside.findLast((span) => span.from <= start && span.to > start)?.author ?? null;
      const last = parts.at(-1);
      if (last?.author === author) last.to = cuts[index + 1]!;
      else parts.push({ from: start, to: cuts[index + 1]!, author });
    }
    return parts;
  }

  /** Who deleted last near a position, or null. */
  deleterAt(pos: number): string | null {
    let nearest: { distance: number; author: string } | null = null;
    for (const cut of this.#cuts) {
      const distance = Math.abs(cut.pos - pos);
      if (!nearest || distance <= nearest.distance) nearest = { distance, author: cut.author };
    }
    return nearest?.author ?? null;
  }
}

function stepOf(text: string, doc: Node): Step | null {
  const change = decodeEnvelope(text);
  if (typeof change === 'string') return null;
  try {
    return readStep(change.step, doc);
  } catch {
    return null;
  }
}
