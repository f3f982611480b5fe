import type { SharedValue } from '../../../platform/ports/coordination.ts';
import {
  counted,
  isAhead,
  type LogEnd,
  learn,
  nothingShared,
  type SharedLog,
  settled,
  unlearn,
} from './log-end.ts';
import type { OpenDocument } from './open-document.ts';
import { emptySaveLockQueue, type SaveLockQueue, type SaveLockRequester } from './save-lock-queue.ts';

/** Who has the save lock, and where the log ended when it was released last. */
interface SaveState {
  readonly queue: SaveLockQueue;
  readonly shared: SharedLog;
}

const saveLockValue = {
  name: 'save-queue',
  empty: { queue: emptySaveLockQueue, shared: nothingShared } as SaveState,
};

/** Longer than a statement that takes changes out of the log may take, milliseconds. */
const rewritingLeaseMs = 40_000;

/**
 * What the nodes share of the save lock of one document, and with it what is known of its log's end: one shared value, so
 * that the next holder of the lock knows what it has to be sent first.
 */
export class SharedSaveLock {
  readonly #document: OpenDocument;
  readonly #value: SharedValue<SaveState>;
  /** Where the nodes said that the log ends, when a step was made here last. */
  #reported: LogEnd | null = null;

  constructor(document: OpenDocument) {
    this.#document = document;
    const { name, empty } = saveLockValue;
    this.#value = {
      name,
      empty,
      isOwn: (state) => !document.isElsewhere && isOf(document.nodeId, state),
    };
  }

  /**
   * Where the nodes say that the log ends, if nobody here was sent all of that; null: nothing is missing. What was missing
   * when the step was made may have come since, from the node that stored it or from the log.
   */
  get missed(): LogEnd | null {
    const reported = this.#reported;
    return reported && isAhead(reported, this.#document.knownEnd) ? reported : null;
  }

  /** Makes a step of the queue. */
  update<Result>(step: (queue: SaveLockQueue) => readonly [SaveLockQueue, Result]): Promise<Result> {
    return this.updateAll(({ queue, shared }) => {
      const [after, result] = step(queue);
      return [{ queue: after, shared }, result];
    });
  }

  /** Makes a step, by which nodes also share what they know of the log and how many they are. */
  async updateAll<Result>(step: (state: SaveState) => readonly [SaveState, Result]): Promise<Result> {
    const document = this.#document;
    const { ports, key, nodeId } = document;
    if (!ports.nodes) return ports.coordination.update(key, this.#value, step);
    const known = document.knownEnd;
    const editors = document.editorsHere();
    const [shared, result] = await ports.coordination.update(key, this.#value, (before) => {
      const shared = settled(counted(learn(before.shared, known), nodeId, editors));
      const [after, result] = step({ queue: before.queue, shared });
      const isSame = after.queue === before.queue && after.shared === before.shared;
      return [isSame ? before : after, [after.shared, result] as const];
    });
    document.logLearned(shared);
    this.#reported = shared;
    return result;
  }

  /** The log was read since `missed` was said. Where it ends before that, this is published to the nodes: the log has the last word. */
  async caughtUp(): Promise<void> {
    const { missed: reported } = this;
    const { knownEnd } = this.#document;
    this.#reported = null;
    if (!reported) return;
    await this.updateAll(({ queue, shared }) => [
      { queue, shared: unlearn(shared, reported, knownEnd) },
      undefined,
    ]);
    this.#document.publish({ t: 'cut', version: knownEnd.version, fromIndex: knownEnd.endIndex });
  }

  /** Publishes to the other nodes how many are left here. */
  async count(): Promise<void> {
    if (!this.#document.ports.nodes) return;
    await this.#document.bestEffort(() => this.update((queue) => [queue, undefined]));
  }

  /** Whether changes from an index on may be taken out now. If so nobody is given the log until `rewritten`. */
  async mayRewrite(fromIndex: number): Promise<boolean> {
    const document = this.#document;
    if (!document.ports.nodes) return fromIndex >= document.historyFloor;
    const { nodeId } = document;
    return this.updateAll(({ queue, shared }) => {
      const isFree = !shared.rewriter || shared.rewriter.nodeId === nodeId || hasEnded(shared.rewriter);
      if (!isFree || fromIndex < shared.floor) return [{ queue, shared }, false];
      const rewriter = { nodeId, untilMs: Date.now() + rewritingLeaseMs };
      return [{ queue, shared: { ...shared, rewriter, rewrittenAtMs: Date.now() } }, true];
    });
  }

  /** What was to be taken out of the log has been, or has not. */
  async rewritten(): Promise<void> {
    const { ports, nodeId } = this.#document;
    if (!ports.nodes) return;
    await this.#document.bestEffort(() =>
      this.updateAll(({ queue, shared }) => [
        { queue, shared: shared.rewriter?.nodeId === nodeId ? { ...shared, rewriter: null } : shared },
        undefined,
      ]),
    );
  }

  /** Whether changes are being taken out elsewhere. If not, one more has been given the log as it is now. */
  isRewritten(): Promise<boolean> {
    const { nodeId } = this.#document;
    return this.updateAll(({ queue, shared }) => {
      const { rewriter } = shared;
      const isRewritten = rewriter !== null && rewriter.nodeId !== nodeId && !hasEnded(rewriter);
      return [{ queue, shared }, isRewritten];
    });
  }

  /** Forgets all of it where nobody is left on any node. */
  async clear(): Promise<void> {
    const { ports, key, nodeId } = this.#document;
    await ports.coordination.update(key, this.#value, (state) => {
      const isLeft = Object.keys(state.shared.nodes).every((one) => one === nodeId);
      return [isLeft ? saveLockValue.empty : state, undefined];
    });
  }
}

/**
 * Whether no other node has to know of it. Other nodes always have to know when changes are taken out: what viewers
 * were shown depends on it.
 */
function isOf(nodeId: string, { queue, shared }: SaveState): boolean {
  const isHere = (requester: SaveLockRequester) => requester.nodeId === nodeId;
  return (
    shared.rewriter === null &&
    Object.keys(shared.nodes).every((one) => one === nodeId) &&
    (queue.holder === null || isHere(queue.holder)) &&
    queue.waiting.every(isHere)
  );
}

const hasEnded = ({ untilMs }: { untilMs: number }): boolean => untilMs < Date.now();
