import { createHash } from 'node:crypto';
import type { Violation } from './evidence.ts';
import type { LogStory } from './log-story.ts';
import { changesOf, type Trace } from './trace.ts';

/** Stands for a list of changes: that of the list without its last one, and the last one. */
const linked = (before: string, change: string): string =>
  createHash('sha256').update(`${before}\0${change}`).digest('base64');

/** Every list of changes that ever was the beginning of a log. */
function beginningsOf(story: LogStory): ReadonlySet<string> {
  const chain = [''];
  const beginnings = new Set(chain);
  for (const { from, added } of story.versions) {
    chain.length = from + 1;
    for (const { change } of added) {
      chain.push(linked(chain.at(-1)!, change));
      beginnings.add(chain.at(-1)!);
    }
  }
  return beginnings;
}

/**
 * I3 for those who look on: all that a viewer has been shown in a session was, as a whole, the beginning of the log at
 * some time. Nothing takes back what they were shown: when the log is rewritten below that they are told to open anew.
 */
export function checkViews(traces: readonly Trace[], stories: ReadonlyMap<string, LogStory>): Violation[] {
  const beginnings = new Map([...stories].map(([key, story]) => [key, beginningsOf(story)]));
  return traces
    .filter(({ family }) => family === 'viewer')
    .flatMap((trace) => mixedView(trace, beginnings.get(trace.key)) ?? []);
}

/** The first time at which a viewer saw what never was the document; null when it never did. */
function mixedView(trace: Trace, beginnings: ReadonlySet<string> | undefined): Violation | null {
  const { client, key } = trace;
  let chain = [''];
  for (const { n, sent, message } of trace.connections.flatMap(({ lines }) => lines)) {
    if (sent && message.type === 'auth' && message.sessionId == null) chain = [''];
    if (sent || (message.type !== 'authChanges' && message.type !== 'saveChanges')) continue;
    const changes = changesOf(message);
    const shown = chain.length - 1;
    const from = message.type === 'authChanges' ? shown : Number(message.changesIndex) - changes.length;
    // What is left out is found by those who look at places.
    if (from > shown) return null;
    for (const [offset, { change }] of changes.entries()) {
      const next = linked(chain[from + offset]!, change);
      const known = chain[from + offset + 1];
      if (known === undefined) chain.push(next);
      if ((known ?? next) === next && beginnings?.has(next)) continue;
      const what = `${client} was shown ${from + offset + 1} changes that never were the document together`;
      return { invariant: 'I3', key, what, events: [n] };
    }
  }
  return null;
}
