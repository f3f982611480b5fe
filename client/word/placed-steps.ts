import type { Node } from 'prosemirror-model';
import { Mapping, ReplaceStep, type Step, type StepMap } from 'prosemirror-transform';
import { applyChange, encodeChange } from '../../model/word/change.ts';
import { stepFromJson } from '../../model/word/mark-set.ts';
import { stepJson } from '../../model/word/step-json.ts';
import type { StepName } from '../replica/change-names.ts';

export interface NamedStep {
  readonly step: Step;
  readonly name: StepName;
}

/** Something that came after the place that steps stand on: a change of the log, or the way to another version. */
export interface Later {
  readonly map: StepMap;
  /** Null where it is nobody's change, or one that changed nothing. */
  readonly name: StepName | null;
}

export interface PlacedSteps {
  readonly steps: readonly NamedStep[];
  /** The document after them. */
  readonly doc: Node;
  /** Indexes of the steps that had something to say and have no place any more. */
  readonly lost: ReadonlySet<number>;
}

export interface Placing {
  readonly steps: readonly NamedStep[];
  readonly later: readonly Later[];
  /** The document after all that came later. */
  readonly doc: Node;
  /** True for a step that the document contains already, or that was dropped before. */
  readonly isStored: (name: StepName) => boolean;
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
  doc,
  isStored,
  translate = (json) => json,
}: Placing): PlacedSteps {
  const mapping = new Mapping();
  for (const { step } of steps.toReversed()) mapping.appendMap(step.getMap().invert());
  const undone = new Map(steps.map(({ name }, at) => [nameText(name), steps.length - 1 - at]));
  for (const { map, name } of later) mapping.appendMap(map, name ? undone.get(nameText(name)) : undefined);
  const placed: NamedStep[] = [];
  const lost = new Set<number>();
  let current = doc;
  for (const [at, { step, name }] of steps.entries()) {
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
    placed.push({ step: after.step, name });
  }
  return { steps: placed, doc: current, lost };
}

function nameText({ clientId, number }: StepName): string {
  return `${number} ${clientId}`;
}

function applyStep(doc: Node, json: unknown, name: StepName): { step: Step; doc: Node } | null {
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
