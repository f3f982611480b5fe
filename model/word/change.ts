import type { Node } from 'prosemirror-model';
import type { Step } from 'prosemirror-transform';
import { authorOf, type LogEntry, notAllowed, textOf } from '../log/change-author.ts';
import { checkChanged, TooDeepError } from './check-changed.ts';
import { WORD_LIMITS } from './limits.ts';
import { AuthorRules } from './rights/author-rules.ts';
import { ChangeError, readStep, type SkipReason, stepJson } from './step-json.ts';

export type { SkipReason } from './step-json.ts';

/** A change of the log: `{"c": "<client id>", "n": <number>, "s": <ProseMirror step as JSON>}`; `n` may be absent. */
export interface WordChange {
  readonly clientId: string;
  /** Which of its author's changes this is: rises with each. Absent when the change does not say. */
  readonly number?: number | undefined;
  /** The step's JSON, not yet checked against a document. */
  readonly step: unknown;
}

export interface SkippedChange {
  /** Index of the change in the log. */
  readonly index: number;
  readonly reason: SkipReason;
}

export interface AppliedChanges {
  readonly doc: Node;
  readonly applied: number;
  readonly skipped: SkippedChange[];
}

/** `number` rises with every change of a client, so that a change can be told from all others. */
export function encodeChange(clientId: string, step: Step, number?: number): string {
  return JSON.stringify({ c: clientId, n: number, s: stepJson(step) });
}

/** The change that a string of the log holds, or why it holds none. Never throws. */
export function decodeChange(text: string): WordChange | SkipReason {
  if (text.length > WORD_LIMITS.changeChars) return 'too-large';
  if (jsonDepth(text) > WORD_LIMITS.jsonDepth) return 'too-deep';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'malformed';
  }
  if (typeof value !== 'object' || value === null) return 'malformed';
  const { c: clientId, n, s: step } = value as { c?: unknown; n?: unknown; s?: unknown };
  if (typeof clientId !== 'string' || clientId.length === 0 || clientId.length > WORD_LIMITS.clientIdChars) {
    return 'malformed';
  }
  return { clientId, number: Number.isSafeInteger(n) ? (n as number) : undefined, step };
}

/**
 * The document after one change, or why the change is skipped. Total and deterministic: never throws.
 * @param rules what the log so far says of who may make it; null to ask only whether it can be made
 */
export function applyChange(doc: Node, entry: LogEntry, rules: AuthorRules | null = null): Node | SkipReason {
  const change = decodeChange(textOf(entry));
  if (typeof change === 'string') return change;
  try {
    const step = readStep(change.step, doc);
    const { doc: after } = step.apply(doc);
    if (!after) return 'invalid-content';
    const size = after.content.size;
    if (size > WORD_LIMITS.documentPositions && size > doc.content.size) return 'document-too-large';
    checkChanged(doc, after);
    if (rules && !rules.take(doc, after, step, authorOf(entry))) return notAllowed;
    return after;
  } catch (error) {
    if (error instanceof ChangeError) return error.reason;
    return error instanceof TooDeepError ? 'too-deep' : 'invalid-content';
  }
}

/**
 * Applies changes in order. One that cannot apply, or whose author may not make it, changes nothing, is skipped by every
 * replica alike, and is reported.
 * @param firstIndex index in the log of the first of these changes
 * @param rules what the log before them says of who may make which
 */
export function applyChanges(
  doc: Node,
  changes: readonly LogEntry[],
  firstIndex = 0,
  rules = new AuthorRules(),
): AppliedChanges {
  const skipped: SkippedChange[] = [];
  let current = doc;
  for (const [offset, entry] of changes.entries()) {
    const result = applyChange(current, entry, rules);
    if (typeof result === 'string') skipped.push({ index: firstIndex + offset, reason: result });
    else current = result;
  }
  return { doc: current, applied: changes.length - skipped.length, skipped };
}

/** Nesting of brackets outside of strings: known before parsing, which on some engines recurses. */
function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x22:
        index = stringEnd(text, index);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > deepest) deepest = depth;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return deepest;
}

function stringEnd(text: string, quote: number): number {
  for (let index = quote + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return index;
    if (code === 0x5c) index++;
  }
  return text.length;
}
