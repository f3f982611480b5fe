import { QuireError } from '../../platform/quire-error.ts';
import type { LogEntry, notAllowed } from './change-author.ts';

/** What one change may ask of every replica before its step is looked at. Beyond any of these it is skipped. */
export const CHANGE_LIMITS = {
  /** Length of a change, in UTF-16 code units. */
  changeChars: 8_000_000,
  /** Nesting of brackets in a change. */
  jsonDepth: 120,
  clientIdChars: 200,
} as const;

/** Why every replica skips a change. */
export type SkipReason =
  | 'too-large'
  | 'too-deep'
  | 'malformed'
  | 'unknown-step'
  | 'out-of-range'
  | 'invalid-content'
  | 'document-too-large'
  | typeof notAllowed;

export interface SkippedChange {
  /** Index of the change in the log. */
  readonly index: number;
  readonly reason: SkipReason;
}

/** A change cannot be applied. */
export class ChangeError extends QuireError<SkipReason> {
  constructor(reason: SkipReason) {
    super(reason, reason, { level: 'info' });
  }
}

/**
 * A change of the log: `{"c": "<client id>", "n": <number>, "s": <step as JSON>}`, where `n` may be absent. Each kind of
 * document says what a step is.
 */
export interface ChangeEnvelope {
  readonly clientId: string;
  /** Which of its author's changes this is: rises with each. Absent when the change does not say. */
  readonly number?: number | undefined;
  /** The step's JSON, not yet checked against a document. */
  readonly step: unknown;
}

/** `number` rises with every change of a client, so that a change can be told from all others. */
export function encodeEnvelope({ clientId, number, step }: ChangeEnvelope): string {
  return JSON.stringify({ c: clientId, n: number, s: step });
}

/** The change that a string of the log holds, or why it holds none. Never throws. */
export function decodeEnvelope(text: string): ChangeEnvelope | SkipReason {
  if (text.length > CHANGE_LIMITS.changeChars) return 'too-large';
  if (jsonDepth(text) > CHANGE_LIMITS.jsonDepth) return 'too-deep';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'malformed';
  }
  if (typeof value !== 'object' || value === null) return 'malformed';
  const { c: clientId, n, s: step } = value as { c?: unknown; n?: unknown; s?: unknown };
  if (
    typeof clientId !== 'string' ||
    clientId.length === 0 ||
    clientId.length > CHANGE_LIMITS.clientIdChars
  ) {
    return 'malformed';
  }
  return { clientId, number: Number.isSafeInteger(n) ? (n as number) : undefined, step };
}

/** A document after some changes of its log. */
export interface AppliedChanges<Doc> {
  readonly doc: Doc;
  readonly applied: number;
  readonly skipped: SkippedChange[];
}

/**
 * Applies changes in order. One that cannot apply, or whose author may not make it, changes nothing, is skipped by every
 * replica alike, and is reported.
 * @param firstIndex index in the log of the first of these changes
 * @param apply the rule of the kind of document: total and deterministic
 */
export function applyInOrder<Doc extends object>(
  doc: Doc,
  changes: readonly LogEntry[],
  firstIndex: number,
  apply: (doc: Doc, entry: LogEntry) => Doc | SkipReason,
): AppliedChanges<Doc> {
  const skipped: SkippedChange[] = [];
  let current = doc;
  for (const [offset, entry] of changes.entries()) {
    const result = apply(current, entry);
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
