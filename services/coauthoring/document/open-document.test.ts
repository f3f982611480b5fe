import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EditorType } from '../../../client/protocol/index.ts';
import { MemoryCoordination } from '../../../platform/adapters/memory-coordination.ts';
import { noSessionMetrics } from '../../../platform/ports/session-metrics.ts';
import { FakeClient } from '../../../test/support/fake-client.ts';
import { MemoryChangeLog } from '../../../test/support/memory-change-log.ts';
import { HistoryMemory } from './history-chunks.ts';
import { participantOf } from './member.ts';
import { defaultSessionTimes, OpenDocument } from './open-document.ts';
import { noParticipants } from './participants.ts';
import { SessionCounts } from './session-counts.ts';

const newDocument = () =>
  new OpenDocument(
    'd1',
    {
      log: new MemoryChangeLog(),
      coordination: new MemoryCoordination(),
      nodes: null,
      notified: () => undefined,
      renamed: () => undefined,
      lifecycle: {
        editorJoined: () => undefined,
        editorLeft: () => undefined,
        lastEditorLeft: async () => undefined,
        editorIsBack: async () => false,
      },
      ...{ maxLogBytes: 1_000_000, maxSentBytes: 10_000_000 },
      trustsPartialRights: false,
      ...{ checkpointWork: Number.POSITIVE_INFINITY, checkpointWanted: () => undefined },
      historyMemory: new HistoryMemory(1_000_000),
      sessions: new SessionCounts(),
      times: defaultSessionTimes,
      metrics: noSessionMetrics,
      faultPoint: () => undefined,
    },
    () => undefined,
  );

const index = fc.nat({ max: 12 });
/** Any transition of the log; a document asks for a deletion only down to the floor. */
const transition = fc.oneof(
  fc.record({ t: fc.constant('append' as const), count: index, savedAtMs: index }),
  fc.record({ t: fc.constant('read' as const), count: index, savedAtMs: index }),
  fc.record({ t: fc.constant('cut' as const), back: index }),
  fc.record({ t: fc.constant('replace' as const), endIndex: index, version: index }),
  fc.record({ t: fc.constant('give out' as const) }),
  fc.record({ t: fc.constant('store' as const) }),
  fc.record({ t: fc.constant('show cut' as const), atMs: index }),
);

test('[SV3, SV15] whatever becomes of a log, its times never fall, and what was given out stays unless it is another log', () => {
  fc.assert(
    fc.property(fc.array(transition, { maxLength: 40 }), (transitions) => {
      const document = newDocument();
      document.logFound({ version: 3, endIndex: 5 });
      for (const one of transitions) {
        const { knownEnd: before, rewrittenAtMs, stored } = document;
        switch (one.t) {
          case 'append': {
            document.sizeChanged(100);
            const nextIndex = before.endIndex + one.count;
            document.appended({ nextIndex, savedAtMs: one.savedAtMs }, one.count);
            expect(document.logBytes).toBe(100 + one.count);
            expect(document.endIndex).toBe(nextIndex);
            break;
          }
          case 'read':
            document.readTo({ endIndex: before.endIndex + one.count, savedAtMs: one.savedAtMs });
            expect(document.endIndex).toBe(before.endIndex + one.count);
            expect(document.logBytes).toBeNull();
            break;
          case 'cut': {
            const fromIndex = Math.max(before.floor, before.endIndex - one.back);
            expect(document.cut(fromIndex)).toBe(fromIndex < stored.index);
            expect(document.knownEnd).toMatchObject({ endIndex: fromIndex, version: before.version + 1 });
            expect(document.logBytes).toBeNull();
            break;
          }
          case 'replace': {
            const { fromIndex, isStoredCut } = document.logReplaced(one);
            expect(isStoredCut).toBe(fromIndex < stored.index);
            expect(document.knownEnd).toMatchObject({ endIndex: fromIndex, version: one.version });
            expect(fromIndex).toBe(one.endIndex < before.floor ? 0 : Math.min(before.floor, before.endIndex));
            break;
          }
          case 'give out':
            document.givenOut();
            expect(document.historyFloor).toBe(before.endIndex);
            break;
          case 'store':
            document.storedChanged({ index: before.endIndex, timeMs: 1, refusedSinceMs: null });
            break;
          case 'show cut':
            document.shownChangesCut(one.atMs);
            break;
        }
        const after = document.knownEnd;
        expect(after.savedAtMs).toBeGreaterThanOrEqual(before.savedAtMs);
        expect(document.rewrittenAtMs).toBeGreaterThanOrEqual(rewrittenAtMs);
        if (one.t !== 'replace') expect(after.floor).toBeGreaterThanOrEqual(before.floor);
        if (one.t !== 'cut' && one.t !== 'replace') {
          expect(after.endIndex).toBeGreaterThanOrEqual(before.endIndex);
          expect(after.version).toBe(before.version);
        }
        expect(after.floor).toBeLessThanOrEqual(after.endIndex);
        expect(document.stored.index).toBeLessThanOrEqual(after.endIndex);
      }
    }),
  );
});

test('[SV15] what the nodes agree on counts, also a floor beyond what is known here', () => {
  const document = newDocument();
  document.logFound({ version: 1, endIndex: 2 });
  const shared = { version: 1, endIndex: 9, floor: 9, savedAtMs: 70, rewrittenAtMs: 40, rewriter: null };
  document.logLearned({ ...shared, nodes: { '': 1, other: 1 } });
  expect(document.knownEnd).toEqual({ version: 1, endIndex: 2, floor: 9, savedAtMs: 70 });
  expect([document.hasOtherNodes, document.isElsewhere, document.rewrittenAtMs]).toEqual([true, true, 40]);
  document.logLearned({ ...shared, savedAtMs: 60, rewrittenAtMs: 30, nodes: { '': 1 } });
  expect([document.hasOtherNodes, document.lastSavedAtMs, document.rewrittenAtMs]).toEqual([false, 70, 40]);
  // Nobody was here for a while, and the log is another one, which ends below what was given out.
  document.logFound({ version: 2, endIndex: 4 });
  expect(document.knownEnd).toEqual({ version: 2, endIndex: 4, floor: 0, savedAtMs: 70 });
});

test('[LK8] locks are those of the editor of the first participant, and not of others who come to the node', () => {
  const document = newDocument();
  const [ann, bob] = [new FakeClient('ann', 1).member, new FakeClient('bob', 2).member];
  document.editorTypeAsked(EditorType.spreadsheet);
  document.attached(ann);
  document.editorTypeAsked(EditorType.presentation);
  expect(document.editorType).toBe(EditorType.spreadsheet);
  const participants = [participantOf(ann, ''), participantOf(bob, '')];
  document.participantsChanged({ ...noParticipants, present: participants, editorType: EditorType.text });
  expect([document.editorType, document.connections, document.editors().length]).toEqual([
    EditorType.text,
    2,
    2,
  ]);
  document.participantsChanged(noParticipants);
  document.detached(ann.peer.id);
  expect([document.editorType, document.connections]).toEqual([EditorType.text, 0]);
});
