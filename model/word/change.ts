import type { Node } from 'prosemirror-model';
import type { Step } from 'prosemirror-transform';
import {
  type AppliedChanges,
  applyInOrder,
  ChangeError,
  decodeEnvelope,
  encodeEnvelope,
  type SkipReason,
} from '../log/change.ts';
import { authorOf, type LogEntry, notAllowed, textOf } from '../log/change-author.ts';
import type { Applied } from '../log/kind-model.ts';
import { checkChanged, TooDeepError } from './changed-nodes.ts';
import { WORD_LIMITS } from './limits.ts';
import { AuthorRules } from './rights/author-rules.ts';
import { readStep, stepJson } from './step-json.ts';

/** The text of a change. @param number rises with every change of a client */
export function encodeChange(clientId: string, step: Step, number?: number): string {
  return encodeEnvelope({ clientId, number, step: stepJson(step) });
}

/**
 * The document after one change, or why the change is skipped. Total and deterministic: never throws.
 * @param rules what the log so far says of who may make it; null to ask only whether it can be made
 */
export function applyChange(doc: Node, entry: LogEntry, rules: AuthorRules | null = null): Node | SkipReason {
  const change = decodeEnvelope(textOf(entry));
  if (typeof change === 'string') return change;
  const applied = applyStep(doc, change.step);
  if (typeof applied === 'string') return applied;
  const { doc: after, step } = applied;
  try {
    return !rules || rules.take(doc, after, step, authorOf(entry)) ? after : notAllowed;
  } catch {
    return 'invalid-content';
  }
}

/** Reads a step and applies it; whether its author may make it, the rules say. Total and deterministic: never throws. */
export function applyStep(doc: Node, json: unknown): Applied<Node, Step> | SkipReason {
  try {
    const step = readStep(json, doc);
    const { doc: after } = step.apply(doc);
    if (!after) return 'invalid-content';
    const size = after.content.size;
    if (size > WORD_LIMITS.documentPositions && size > doc.content.size) return 'document-too-large';
    checkChanged(doc, after);
    return { doc: after, step };
  } catch (error) {
    if (error instanceof ChangeError) return error.code;
    return error instanceof TooDeepError ? 'too-deep' : 'invalid-content';
  }
}

/**
 * Applies changes in order, see {@link applyInOrder}.
 * @param firstIndex index in the log of the first of these changes
 * @param rules what the log before them says of who may make which
 */
export function applyChanges(
  doc: Node,
  changes: readonly LogEntry[],
  firstIndex = 0,
  rules = new AuthorRules(),
): AppliedChanges<Node> {
  return applyInOrder(doc, changes, firstIndex, (before, entry) => applyChange(before, entry, rules));
}
