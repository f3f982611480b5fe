import type { ClientMessage, ServerMessage } from '../../client/protocol/index.ts';
import { MemoryCoordination } from '../../platform/adapters/memory-coordination.ts';
import { noSessionMetrics } from '../../platform/ports/session-metrics.ts';
import { DocumentActor } from '../../services/coauthoring/document/actor.ts';
import { HistoryMemory } from '../../services/coauthoring/document/history-chunks.ts';
import { defaultSessionTimes, type SessionTimes } from '../../services/coauthoring/document/open-document.ts';
import type { DocumentMessage } from '../../services/coauthoring/document/rights/message-rights.ts';
import { SessionCounts } from '../../services/coauthoring/document/session-counts.ts';
import type { FakeClient } from './fake-client.ts';
import { MemoryChangeLog } from './memory-change-log.ts';

/** One open document on its only node, over a log in memory, and what clients of it do. */
export function actorScene({
  maxLogBytes = 1_000_000,
  maxSentBytes = 10_000_000,
  checkpointWork = Number.POSITIVE_INFINITY,
  times = {} as Partial<SessionTimes>,
} = {}) {
  const log = new MemoryChangeLog();
  log.setState('d1', 'open');
  const left: string[] = [];
  /** The documents of which a checkpoint was wanted. */
  const wanted: string[] = [];
  const actor = new DocumentActor(
    'd1',
    {
      log,
      coordination: new MemoryCoordination(),
      nodes: null,
      notified: () => undefined,
      renamed: () => undefined,
      lifecycle: {
        editorJoined: () => undefined,
        editorLeft: () => undefined,
        lastEditorLeft: async (_key, visitor) => {
          left.push(visitor.userId);
        },
        editorIsBack: async () => false,
      },
      ...{ maxLogBytes, maxSentBytes, checkpointWork },
      checkpointWanted: (key) => wanted.push(key),
      trustsPartialRights: false,
      historyMemory: new HistoryMemory(1_000_000),
      sessions: new SessionCounts(),
      times: { ...defaultSessionTimes, viewerHoldMs: 0, ...times },
      metrics: noSessionMetrics,
      faultPoint: () => undefined,
    },
    (error) => {
      throw error;
    },
  );
  actor.setOpen(true);
  /** There is a checkpoint for every other newcomer, at any place of the log. */
  const findCheckpoint = async (client: FakeClient) => {
    const { userIndex } = client.member;
    const index = userIndex % (actor.document.endIndex + 1);
    if (userIndex % 2 === 0 || index === 0) return null;
    client.checkpoint = (await stored()).slice(0, index);
    return { index, url: '' };
  };
  /** `syncIndex`: how many changes a client has that comes back; null: it cannot say. */
  const join = (
    client: FakeClient,
    syncIndex: number | null = null,
    acknowledgesHistory = false,
    restored = syncIndex !== null,
  ) =>
    actor.run(() =>
      actor.join({
        member: client.member,
        restored,
        syncIndex,
        isUpToDate: null,
        acknowledgesHistory,
        findCheckpoint: !restored ? () => findCheckpoint(client) : null,
        blocks: [],
        welcome: async (shared) =>
          ({
            type: 'auth',
            result: 1,
            sessionId: client.member.sessionId,
            indexUser: client.member.userIndex,
            ...shared,
          }) as ServerMessage,
      }),
    );
  const say = (client: FakeClient, message: DocumentMessage) => {
    if (message.type === 'saveChanges') {
      client.sent = JSON.parse(message.changes) as string[];
      if (message.deleteIndex) client.changes.length = message.deleteIndex;
    }
    return actor.run(() => actor.handle(client.member, message));
  };
  const leave = (client: FakeClient) => actor.run(() => actor.leave(client.member, false));
  const stored = async () => {
    const changes: string[] = [];
    for await (const page of log.read('d1', 0, 1_000_000)) {
      for (const batch of page) changes.push(...(JSON.parse(batch.changes) as string[]));
    }
    return changes;
  };
  return { actor, join, say, leave, stored, left, log, wanted };
}

/** A save in one part. */
export const saveOf = (
  changes: string[],
  more: Partial<Extract<ClientMessage, { type: 'saveChanges' }>> = {},
) => ({
  type: 'saveChanges' as const,
  changes: JSON.stringify(changes),
  startSaveChanges: true,
  endSaveChanges: true,
  deleteIndex: null,
  unlock: false,
  releaseLocks: false,
  ...more,
});
