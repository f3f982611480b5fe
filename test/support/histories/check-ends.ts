import type { DocumentAtEnd, Evidence, Violation } from './evidence.ts';
import type { HistoryEvent } from './history.ts';
import type { LogStory } from './log-story.ts';
import type { Trace } from './trace.ts';

const clockMs = 5;

type Receipt = Extract<HistoryEvent, { kind: 'receives' }>;

function receiptsOf(events: readonly HistoryEvent[]): Receipt[] {
  return events.filter((event): event is Receipt => event.kind === 'receives');
}

/**
 * I6: at the end nothing is left to be done: a document with changes was taken by its integrator, with all of them, or
 * lies in forgotten storage with its base file and its log; what was deleted had been taken before.
 */
export function checkOrphans(evidence: Evidence, stories: ReadonlyMap<string, LogStory>): Violation[] {
  const receipts = receiptsOf(evidence.events);
  const blobs = new Set(evidence.blobs);
  const violations: Violation[] = [];
  for (const document of evidence.documents) {
    const story = stories.get(document.key);
    const what = story === undefined ? null : complaint(document, story, receipts, evidence, blobs);
    if (what !== null) violations.push({ invariant: 'I6', key: document.key, what, events: [] });
  }
  for (const { id, key, status, state } of evidence.saves) {
    if (state !== 'pending' && state !== 'assembling') continue;
    violations.push({
      invariant: 'I6',
      key,
      what: `save ${id} (status ${status}) is still ${state}`,
      events: [],
    });
  }
  return violations;
}

function complaint(
  { key, state, nextIndex, sourceHash, forgotten }: DocumentAtEnd,
  story: LogStory,
  receipts: readonly Receipt[],
  { saves }: Evidence,
  blobs: ReadonlySet<string>,
): string | null {
  const hadChanges = story.versions.length > 0 && story.last.length > 0;
  if (story.deletion) {
    const { at, removed } = story.deletion;
    const taken = receipts.find(
      (receipt) =>
        receipt.key === key && receipt.accepts && receipt.status === 2 && receipt.at <= at + clockMs,
    );
    if (!taken)
      return `${removed.length} changes were deleted and the integrator had not confirmed a file before`;
    const save = saves.find(
      (one) => one.key === key && one.resultHash !== null && taken.url?.includes(one.resultHash),
    );
    if (save && save.endIndex < removed.length) {
      return `${removed.length} changes were deleted and the file that was confirmed has ${save.endIndex}`;
    }
  }
  if (nextIndex !== story.end.length) return `says ${nextIndex} changes, its log has ${story.end.length}`;
  if (!hadChanges) return isAtRest(state) ? null : `is still ${state}, without changes`;
  if (state === 'closed')
    return story.deletion || story.end.length === 0 ? null : 'is closed and keeps its log';
  if (state === 'idle' && story.end.length === 0) return null;
  if (state !== 'forgotten') return `is still ${state}, with ${story.end.length} changes`;
  if (!forgotten) return 'is forgotten and not in forgotten storage';
  if (story.end.length !== story.last.length) return 'is forgotten and its log is gone';
  const base = sourceHash ?? forgotten.sourceHash;
  if (!blobs.has(base)) return `is forgotten and its base file ${base} is gone`;
  if (forgotten.resultHash !== null && !blobs.has(forgotten.resultHash)) {
    return `is forgotten and its result ${forgotten.resultHash} is gone`;
  }
  return null;
}

const isAtRest = (state: string) => ['idle', 'closed', 'failed', 'forgotten'].includes(state);

/**
 * I7: whatever tells of the same save has the same bytes, files never come after a newer one, and a file is the base
 * with exactly the changes its save names.
 */
export function checkFiles(
  evidence: Evidence,
  stories: ReadonlyMap<string, LogStory>,
  traces: readonly Trace[],
): Violation[] {
  const violations: Violation[] = [];
  const read = traces.filter(({ family }) => family === 'word' || family === 'cell');
  const readKeys = new Set(read.map(({ key }) => key));
  const bytes = new Map<string, { sha256: string; n: number }>();
  const newest = new Map<string, { endIndex: number; n: number }>();
  for (const { key, n, status, url, sha256, texts } of receiptsOf(evidence.events)) {
    const tell = (what: string, events: number[]) =>
      violations.push({ invariant: 'I7', key, what: `status ${status}: ${what}`, events });
    if (url === null || sha256 === null) continue;
    const save = evidence.saves.find(
      (one) => one.key === key && one.resultHash !== null && url.includes(one.resultHash),
    );
    if (!save) {
      tell('the file belongs to no save', [n]);
      continue;
    }
    if (sha256 !== save.resultHash) tell(`the file is ${sha256}, its save made ${save.resultHash}`, [n]);
    const same = bytes.get(`${key} ${save.id}`);
    if (same && same.sha256 !== sha256) tell('the same save came with other bytes', [same.n, n]);
    bytes.set(`${key} ${save.id}`, { sha256, n });
    const before = newest.get(key);
    if (before && before.endIndex > save.endIndex) {
      tell(`a file of ${save.endIndex} changes came after one of ${before.endIndex}`, [before.n, n]);
    }
    newest.set(key, { endIndex: Math.max(save.endIndex, before?.endIndex ?? 0), n });
    const log = stories.get(key)?.last ?? [];
    if (!readKeys.has(key) || texts === null) continue;
    const expected = evidence.textsOf(
      key,
      log.slice(0, save.endIndex).map(({ change }) => change),
    );
    const differs = difference(texts, expected);
    if (differs !== null) tell(`the file is not the document at ${save.endIndex}: ${differs}`, [n]);
  }
  return violations;
}

/** Convergence: what every client of a model of ours shows at rest is the base with the log applied. */
export function checkConvergence(
  evidence: Evidence,
  stories: ReadonlyMap<string, LogStory>,
  traces: readonly Trace[],
): Violation[] {
  const violations: Violation[] = [];
  for (const { client, key, shows } of traces) {
    if (shows === null) continue;
    const log = stories.get(key)?.last ?? [];
    const expected = evidence.textsOf(
      key,
      log.map(({ change }) => change),
    );
    const differs = difference(shows, expected);
    if (differs === null) continue;
    violations.push({
      invariant: 'convergence',
      key,
      what: `${client} shows another document: ${differs}`,
      events: [],
    });
  }
  return violations;
}

/** Where two documents differ first; null when they do not. */
function difference(one: readonly string[], other: readonly string[]): string | null {
  const length = Math.max(one.length, other.length);
  for (let block = 0; block < length; block += 1) {
    const [a, b] = [one[block] ?? '(none)', other[block] ?? '(none)'];
    if (a === b) continue;
    let at = 0;
    while (at < a.length && a[at] === b[at]) at += 1;
    return `block ${block} at ${at}: “${a.slice(at, at + 60)}” for “${b.slice(at, at + 60)}”`;
  }
  return null;
}

/** Presence: at rest, everybody in session sees exactly the editors in session. */
export function checkPresence(evidence: Evidence, traces: readonly Trace[]): Violation[] {
  const violations: Violation[] = [];
  for (const event of evidence.events) {
    if (event.kind !== 'rests') continue;
    const present = traces.flatMap((trace) => {
      const connection = trace.connections.at(-1);
      const isHere =
        trace.key === event.key && connection && !(connection.lost && connection.lost.n < event.n);
      return isHere && !(trace.ended && trace.ended.n < event.n) ? [{ trace, connection }] : [];
    });
    const seen = present.map(({ trace, connection }) => ({
      trace,
      ids: participantsAt(connection.lines, event.n),
    }));
    const editors = seen.filter(({ trace, ids: of }) => of !== null && trace.family !== 'viewer');
    const ids = editors.map(({ trace }) => ownId(trace, event.n)).sort();
    for (const { trace, ids: of } of seen) {
      if (of === null || of.join() === ids.join()) continue;
      const what = `${trace.client} sees ${of.join(', ')} and there are ${ids.join(', ')}`;
      violations.push({ invariant: 'presence', key: event.key, what, events: [event.n] });
    }
  }
  return violations;
}

/** Unique ids of the editors a client was last told of; null when it is not in session. */
function participantsAt(lines: Trace['connections'][number]['lines'], before: number): string[] | null {
  let ids: string[] | null = null;
  let newest = -1;
  for (const { n, sent, message } of lines) {
    if (sent || n > before) continue;
    if (message.type === 'error' || message.type === 'drop' || message.type === 'disconnectReason')
      return null;
    if (message.type !== 'auth' && message.type !== 'connectState') continue;
    const time = Number(message.participantsTimestamp ?? newest);
    if (!Array.isArray(message.participants) || time < newest) continue;
    newest = time;
    const participants = message.participants as { id: string; view?: boolean }[];
    ids = participants.filter(({ view }) => view !== true).map(({ id }) => id);
  }
  return ids && lines.some(({ sent, message }) => !sent && message.type === 'auth') ? ids.sort() : null;
}

function ownId(trace: Trace, before: number): string {
  let index = 0;
  for (const { lines } of trace.connections) {
    for (const { n, sent, message } of lines) {
      if (!sent && n <= before && message.type === 'auth') index = Number(message.indexUser);
    }
  }
  return `${trace.userId}${index}`;
}
