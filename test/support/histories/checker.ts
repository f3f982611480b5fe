import { checkAnswers } from './check-answers.ts';
import { checkConvergence, checkFiles, checkOrphans, checkPresence } from './check-ends.ts';
import { checkLocks } from './check-locks.ts';
import { checkAcknowledgements, checkDoubles, checkLogs, checkRemovals, checkWaits } from './check-saves.ts';
import { checkSight } from './check-sight.ts';
import { checkViews } from './check-views.ts';
import type { Evidence, Violation } from './evidence.ts';
import { storiesOf } from './log-story.ts';
import { tracesOf } from './trace.ts';

/** What of the invariants a run broke; empty when they held. */
export function violationsIn(evidence: Evidence): Violation[] {
  const traces = tracesOf(evidence.events);
  const stories = storiesOf(evidence.audit);
  return [
    ...checkAcknowledgements(traces, stories),
    ...checkRemovals(traces, stories),
    ...checkLogs(stories),
    ...checkSight(traces, stories, evidence.events),
    ...checkViews(traces, stories),
    ...checkLocks(traces),
    ...checkDoubles(stories),
    ...checkOrphans(evidence, stories),
    ...checkFiles(evidence, stories, traces),
    ...checkConvergence(evidence, stories, traces),
    ...checkPresence(evidence, traces),
    ...checkAnswers(traces, evidence.events),
    ...checkWaits(evidence),
  ];
}
