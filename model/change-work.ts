import { replayWork, replayWorkUnread } from './cell/replay-work.ts';
import { cellKind } from './kinds.ts';
import { decodeEnvelope } from './log/change.ts';
import { type LogEntry, textOf } from './log/change-author.ts';

/** A change that is larger is not parsed where its length tells its work, characters. */
const parsedCharacters = 65_536;
/** One that is still larger is not parsed at all. */
const mostParsedCharacters = 262_144;
/** Reading so many characters is about as much work as what is typed. */
const charactersAtOnce = 5_000;

/** How every editor of ours has begun its changes: who made it, which of theirs it is, and a step. */
const beginning = /^\{"c":"(?:[^"\\]|\\.){1,200}",(?:"n":\d{1,16},)?"s":[{[]/;

/** What steps of a kind tell of their work. */
interface StepWork {
  /** Of a step. */
  of(step: unknown): number;
  /** Of the text of a change that is not read; 1: its length tells the rest. */
  unread(text: string): number;
}

/** By model. Steps of others are work by their length. */
const stepWorks: ReadonlyMap<string, StepWork> = new Map<string, StepWork>([
  [cellKind.model.name, { of: replayWork, unread: replayWorkUnread }],
]);

/**
 * About how much work a text of a log is for everybody who applies it, as it tells itself, where what is typed is 1; null: it is no
 * change of one of our models. Of a large one only its beginning is looked at, where that is as our editors write it and its length
 * tells the rest; whether a change applies is for the model to say.
 */
export function workOfChange(model: string, text: string): number | null {
  const reading = Math.max(1, Math.ceil(text.length / charactersAtOnce));
  const kind = stepWorks.get(model);
  if (text.length > parsedCharacters && beginning.test(text)) {
    const unread = kind?.unread(text) ?? 1;
    if (unread === 1 || text.length > mostParsedCharacters) return Math.max(reading, unread);
  }
  const envelope = decodeEnvelope(text);
  // What is too large or nested too deep for the model is no junk: an editor may have made it.
  if (typeof envelope === 'string') return envelope === 'malformed' ? null : reading;
  if (envelope.step === undefined) return null;
  return Math.max(reading, kind?.of(envelope.step) ?? 1);
}

/** Whether changes of a log are so much work together. */
export function areWork(model: string, changes: readonly LogEntry[], work: number): boolean {
  if (changes.length >= work) return true;
  let sum = 0;
  return changes.some((change) => {
    sum += workOfChange(model, textOf(change)) ?? 1;
    return sum >= work;
  });
}
