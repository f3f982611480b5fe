import type { Node } from 'prosemirror-model';
import { Mapping, ReplaceStep, type Step, type StepMap } from 'prosemirror-transform';
import { applyChange, encodeChange } from '../../model/word/change.ts';
import { stepFromJson } from '../../model/word/mark-set.ts';
import { stepJson } from '../../model/word/step-json.ts';
import type { ChangeName } from '../replica/change-names.ts';
import type { NamedOperation, PlacedOperations } from '../replica/kind-replica.ts';
import type { WordTypes } from './local-steps.ts';

/** Something that came after the place that steps stand on: a change of the log, or the way to another version. */
export interface Later {
  readonly map: StepMap;
  /** Null where it is nobody's change, or one that changed nothing. */
  readonly name: ChangeName | null;
}

export interface Placing {
  readonly steps: readonly NamedOperation<WordTypes>[];
  readonly later: readonly Later[];
  /** The document after all that came later. */
  readonly document: Node;
  /** True for a step that the document contains already, or that was dropped before. */
  readonly isStored: (name: ChangeName) => boolean;
  /** Puts the JSON of a step in the terms of the document; null if it means nothing there. */
  readonly translate?: (json: Record<string, unknown>) => Record<string, unknown> | null;
}

/**
 * Rebases steps, each made on the one before, over what came later. Steps among the later changes that are these very
 * steps, stored, are where they are: what stands on them keeps its place.
 */
export function placeSteps({
  steps,
  later,
  document,
  isStored,
  translate = (json) => json,
}: Placing): PlacedOperations<WordTypes> {
  const mapping = new Mapping();
  for (const { operation } of steps.toReversed()) mapping.appendMap(operation.getMap().invert());
  const undone = new Map(steps.map(({ name }, at) => [nameText(name), steps.length - 1 - at]));
  for (const { map, name } of later) mapping.appendMap(map, name ? undone.get(nameText(name)) : undefined);
  const placed: NamedOperation<WordTypes>[] = [];
  const lost = new Set<number>();
  let current = document;
  for (const [at, { operation: step, name }] of steps.entries()) {
    if (isStored(name)) continue;
    const mapped = step.map(mapping.slice(steps.length - at));
    const json = mapped && translate(stepJson(mapped));
    if (mapped && !json) continue;
    const after = json ? applyStep(current, json, name) : null;
    if (!after) {
      if (!isDeletion(step)) lost.add(at);
      continue;
    }
    current = after.doc;
    mapping.appendMap(after.step.getMap(), steps.length - 1 - at);
    placed.push({ operation: after.step, name });
  }
  return { operations: placed, document: current, lost };
}

function nameText({ clientId, number }: ChangeName): string {
  return `${number} ${clientId}`;
}

function applyStep(doc: Node, json: unknown, name: ChangeName): { step: Step; doc: Node } | null {
  try {
    const step = stepFromJson(json);
    const after = applyChange(doc, encodeChange(name.clientId, step, name.number));
    return typeof after === 'string' ? null : { step, doc: after };
  } catch {
    return null;
  }
}

/** Its place is gone: so is what it was to delete. */
function isDeletion(step: Step): boolean {
  return step instanceof ReplaceStep && step.slice.size === 0;
}

/**
 * The text that some of a sequence of steps put into a document, as it stands after all of them.
 * @param doc the document after the last step
 * @param lost indexes of the steps in question
 */
export function textOfSteps(doc: Node, steps: readonly Step[], lost: ReadonlySet<number>): string {
  const later = new Mapping(steps.map((step) => step.getMap()));
  const ranges: { from: number; to: number }[] = [];
  for (const at of lost) {
    const rest = later.slice(at + 1);
    steps[at]!.getMap().forEach((_oldStart, _oldEnd, start, end) => {
      const [from, to] = [rest.map(start, 1), rest.map(end, -1)];
      if (from < to) ranges.push({ from, to });
    });
  }
  ranges.sort((one, other) => one.from - other.from);
  const merged: typeof ranges = [];
  for (const { from, to } of ranges) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged
    .map(({ from, to }) => doc.textBetween(from, to, '\n'))
    .filter((text) => text.trim() !== '')
    .join('\n');
}
