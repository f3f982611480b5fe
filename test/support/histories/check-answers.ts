import type { Violation } from './evidence.ts';
import type { HistoryEvent } from './history.ts';
import type { Trace } from './trace.ts';

/** Longer than any request may wait for its answer; clients give up soon after. */
const patienceMs = 25_000;
/** What a fault did is over this long after it was taken back. */
const recoveryMs = 3_000;

const answersTo: Readonly<Record<string, readonly string[]>> = {
  isSaveLock: ['saveLock'],
  saveChanges: ['unSaveLock', 'savePartChanges'],
  getLock: ['getLock'],
};

/** Messages that answer everything: the session is over. */
const endings: readonly string[] = ['error', 'drop', 'disconnectReason'];

interface Interval {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** When something was broken. */
function faultsIn(events: readonly HistoryEvent[]): Interval[] {
  const begun = new Map<string, number>();
  const faults: Interval[] = [];
  for (const event of events) {
    if (event.kind !== 'fault') continue;
    const fromMs = begun.get(event.name);
    if (event.phase === 'begins') begun.set(event.name, event.at);
    else if (fromMs !== undefined) faults.push({ fromMs, untilMs: event.at + recoveryMs });
  }
  return faults;
}

/**
 * Every question is answered, or its connection ends: none waits for long while nothing is broken. Questions that were
 * asked, or would have had to be answered, while something was broken are let pass; their clients give up by themselves.
 */
export function checkAnswers(traces: readonly Trace[], events: readonly HistoryEvent[]): Violation[] {
  const faults = faultsIn(events);
  const end = events.at(-1)?.at ?? 0;
  const violations: Violation[] = [];
  for (const { client, key, connections } of traces) {
    for (const { lines, lost } of connections) {
      for (const [position, { n, at, sent, message }] of lines.entries()) {
        const answers = sent ? answersTo[message.type] : undefined;
        const untilMs = at + patienceMs;
        if (!answers || untilMs > Math.min(end, lost?.at ?? end)) continue;
        if (faults.some((fault) => fault.fromMs < untilMs && fault.untilMs > at)) continue;
        const isAnswered = lines.some(
          (line, place) =>
            place > position &&
            !line.sent &&
            line.at <= untilMs &&
            (answers.includes(line.message.type) || endings.includes(line.message.type)),
        );
        if (isAnswered) continue;
        const what = `${client} was given no answer to ${message.type} for ${patienceMs / 1_000} s`;
        violations.push({ invariant: 'answers', key, what, events: [n] });
      }
    }
  }
  return violations;
}
