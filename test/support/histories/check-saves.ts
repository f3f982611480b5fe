import type { Evidence, Violation } from './evidence.ts';
import type { LogStory } from './log-story.ts';
import { type Trace, uniqueIdAfter, walkSaves } from './trace.ts';

/** What a clock read in two processes may differ by, and what a millisecond cuts off. */
const clockMs = 5;

/**
 * I1: what was acknowledged stood in the log, at the place and by the author the acknowledgement says, before the
 * acknowledgement came, and stays there; only its own author's taking back, and the integrator's receipt, remove it.
 */
export function checkAcknowledgements(
  traces: readonly Trace[],
  stories: ReadonlyMap<string, LogStory>,
): Violation[] {
  const violations: Violation[] = [];
  for (const trace of traces) {
    const story = stories.get(trace.key);
    let user: string | null = null;
    for (const connection of trace.connections) {
      walkSaves(connection, {
        line: ({ message, sent }) => {
          if (!sent) user = uniqueIdAfter(trace, message) ?? user;
        },
        acknowledged: ({ part, n, at, endIndex }) => {
          if (part.changes.length === 0) return;
          const index = endIndex - part.changes.length;
          const storedAt = user === null ? null : (story?.storedAt(index, part.changes, user) ?? null);
          const events = [part.n, n];
          if (storedAt === null) {
            const what = `${trace.client}: changes ${index} to ${endIndex} were acknowledged and never stored there`;
            violations.push({ invariant: 'I1', key: trace.key, what, events });
          } else if (storedAt > at + clockMs) {
            const what = `${trace.client}: changes ${index} to ${endIndex} were acknowledged ${storedAt - at} ms before they were stored`;
            violations.push({ invariant: 'I1', key: trace.key, what, events });
          }
        },
      });
    }
  }
  return violations;
}

/** I1: nothing was removed from a log but by its author's taking back, or when the document was closed. */
export function checkRemovals(traces: readonly Trace[], stories: ReadonlyMap<string, LogStory>): Violation[] {
  const violations: Violation[] = [];
  for (const [key, story] of stories) {
    const takings = traces.filter((trace) => trace.key === key).flatMap(takingsBack);
    for (const version of story.versions) {
      if (version.removed.length === 0 || version === story.deletion) continue;
      const authors = new Set(version.removed.map(({ author }) => author));
      const taken = takings.find(
        ({ index, user, at }) =>
          index <= version.from && at <= version.at + clockMs && authors.size === 1 && authors.has(user),
      );
      if (taken) continue;
      const what = `${version.removed.length} changes from ${version.from} on, by ${[...authors].join(', ')}, were removed and nobody had taken them back`;
      violations.push({ invariant: 'I1', key, what, events: [] });
    }
  }
  return violations;
}

function takingsBack(trace: Trace): { index: number; user: string; at: number }[] {
  const takings: { index: number; user: string; at: number }[] = [];
  let user = '';
  for (const { lines } of trace.connections) {
    for (const { message, sent, at } of lines) {
      if (!sent) user = uniqueIdAfter(trace, message) ?? user;
      else if (Number(message.deleteIndex ?? -1) >= 0) {
        takings.push({ index: Number(message.deleteIndex), user, at });
      }
    }
  }
  return takings;
}

/** I5: every change of these clients is another text, so none may stand in a log twice. */
export function checkDoubles(stories: ReadonlyMap<string, LogStory>): Violation[] {
  const violations: Violation[] = [];
  for (const [key, story] of stories) {
    const places = new Map<string, number>();
    for (const { from, removed, added } of story.versions) {
      for (const { change } of removed) places.delete(change);
      for (const [offset, { change }] of added.entries()) {
        const before = places.get(change);
        if (before !== undefined) {
          const what = `the change ${change.slice(0, 80)} stands at ${before} and at ${from + offset}`;
          violations.push({ invariant: 'I5', key, what, events: [] });
        }
        places.set(change, from + offset);
      }
    }
  }
  return violations;
}

/** I2: what the log's own story shows. */
export function checkLogs(stories: ReadonlyMap<string, LogStory>): Violation[] {
  return [...stories.values()].flatMap(({ violations }) => [...violations]);
}

/** Each thing that had to come about and did not. */
export function checkWaits({ events }: Evidence): Violation[] {
  return events.flatMap((event) =>
    event.kind === 'waits'
      ? [{ invariant: 'answers' as const, key: '', what: `in vain: ${event.what}`, events: [event.n] }]
      : [],
  );
}
