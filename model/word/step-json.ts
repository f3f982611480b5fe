import type { Fragment, Node, Slice } from 'prosemirror-model';
import { ReplaceAroundStep, ReplaceStep, type Step } from 'prosemirror-transform';
import { ChangeError } from '../log/change.ts';
import { WORD_LIMITS } from './limits.ts';
import { stepFromJson } from './mark-set.ts';

type Json = Record<string, unknown>;

/** Position fields of each step type, in the order in which they must not decrease. */
const POSITIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['replace', ['from', 'to']],
  ['replaceAround', ['from', 'gapFrom', 'gapTo', 'to']],
  ['addMark', ['from', 'to']],
  ['removeMark', ['from', 'to']],
  ['addNodeMark', ['pos']],
  ['removeNodeMark', ['pos']],
  ['attr', ['pos']],
  ['docAttr', []],
  ['markSet', []],
]);

/**
 * Reads a step for this document. ProseMirror's own reading accepts fractions, positions in reverse and slices opened
 * deeper than they are; all these are refused here, because a step that half works would differ between replicas.
 * @throws ChangeError
 */
export function readStep(json: unknown, doc: Node): Step {
  if (!isObject(json)) throw new ChangeError('malformed');
  checkPositions(json, doc);
  if (json.stepType === 'markSet') checkMarkSet(json, doc);
  let step: Step;
  try {
    step = stepFromJson(json);
  } catch {
    throw new ChangeError('invalid-content');
  }
  if (step instanceof ReplaceStep || step instanceof ReplaceAroundStep) checkSlice(step.slice);
  if (step instanceof ReplaceAroundStep && !(isPosition(step.insert) && step.insert <= step.slice.size)) {
    throw new ChangeError('out-of-range');
  }
  return step;
}

/**
 * A step as {@link readStep} takes it. A step that undoes a `markSet` may hold further `markSet` steps, which ProseMirror itself
 * does not read: they are replaced by the steps in them.
 */
export function stepJson(step: Step): Json {
  const json: Json = step.toJSON();
  return json.stepType === 'markSet' ? { ...json, steps: flatSteps(json) } : json;
}

function flatSteps(json: Json): Json[] {
  if (json.stepType !== 'markSet') return [json];
  return (json.steps as Json[]).flatMap(flatSteps);
}

function checkPositions(json: Json, doc: Node): void {
  const fields = typeof json.stepType === 'string' ? POSITIONS.get(json.stepType) : undefined;
  if (!fields) throw new ChangeError('unknown-step');
  let least = 0;
  for (const field of fields) {
    const position = json[field];
    if (!isPosition(position)) throw new ChangeError('malformed');
    if (position < least || position > doc.content.size) throw new ChangeError('out-of-range');
    least = position;
  }
}

function checkMarkSet(json: Json, doc: Node): void {
  if (!Array.isArray(json.steps)) throw new ChangeError('malformed');
  if (json.steps.length > WORD_LIMITS.markSteps) throw new ChangeError('too-large');
  for (const step of json.steps) {
    if (!isObject(step)) throw new ChangeError('malformed');
    if (step.stepType !== 'addMark' && step.stepType !== 'removeMark') throw new ChangeError('unknown-step');
    checkPositions(step, doc);
  }
}

function checkSlice({ content, openStart, openEnd, size }: Slice): void {
  if (!isPosition(openStart) || !isPosition(openEnd)) throw new ChangeError('malformed');
  const tooOpen = openStart > openDepth(content, 'firstChild') || openEnd > openDepth(content, 'lastChild');
  if (tooOpen || size < 0) throw new ChangeError('invalid-content');
}

function openDepth(fragment: Fragment, side: 'firstChild' | 'lastChild'): number {
  let depth = 0;
  for (let node = fragment[side]; node && !node.isLeaf; node = node[side]) depth++;
  return depth;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
