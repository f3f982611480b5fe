import type { Node } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';
import { ReplaceAroundStep, ReplaceStep, type Step } from 'prosemirror-transform';
import { stepJson } from '../../model/word/step-json.ts';
import { isShared } from './local-steps.ts';

/** Keeps this user out of blocks that others hold. */
export function heldBlocks(holderOf: (blockId: string) => object | null, isFree: () => boolean): Plugin {
  return new Plugin({
    filterTransaction: (transaction) =>
      !transaction.docChanged ||
      isShared(transaction) ||
      isFree() ||
      touchedBlocks(transaction).every((ids) => ids.every((id) => holderOf(id) === null)),
  });
}

/** For each step of a transaction the ids of the blocks that it changes. */
export function touchedBlocks({ steps, docs }: Transaction): string[][] {
  return steps.map((step, at) => touchedByStep(step, docs[at]!));
}

/** Blocks that people hold one by one; of a step between such blocks the nearest container counts. */
const lockable = new Set(['paragraph', 'opaque_block']);

/**
 * Ids of the blocks of a document that a step changes. A step that only puts new blocks between others at the top
 * level touches none.
 */
function touchedByStep(step: Step, doc: Node): string[] {
  const ids = new Set<string>();
  for (const { from, to } of rangesOf(step)) {
    let container: string | null = null;
    let found = false;
    doc.nodesBetween(from, to, (node) => {
      const id = node.attrs.id as string | null | undefined;
      const isBlock = lockable.has(node.type.name);
      if (isBlock) {
        found = true;
        if (id) ids.add(id);
      } else if (id && !found) container = id;
      return !isBlock;
    });
    if (!found && container !== null) ids.add(container);
  }
  return [...ids];
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangesOf(step: Step): Range[] {
  if (step instanceof ReplaceStep || step instanceof ReplaceAroundStep) {
    const ranges: Range[] = [];
    step.getMap().forEach((from, to) => void ranges.push({ from, to }));
    return ranges;
  }
  return rangesOfJson(stepJson(step));
}

/** Steps on marks and attributes say where they work, alone or in lists. */
function rangesOfJson(json: { from?: number; to?: number; pos?: number; steps?: unknown[] }): Range[] {
  if (json.steps) return json.steps.flatMap((one) => rangesOfJson(one as typeof json));
  if (json.pos !== undefined) return [{ from: json.pos, to: json.pos + 1 }];
  return json.from === undefined || json.to === undefined ? [] : [{ from: json.from, to: json.to }];
}
