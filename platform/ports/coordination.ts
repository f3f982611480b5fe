import { QuireError } from '../quire-error.ts';

/**
 * One piece of the state that everybody who serves a document shares: its locks, its save queue, its participants.
 * `empty` is its value before the first step.
 */
export interface SharedValue<State> {
  name: string;
  empty: State;
  /**
   * Whether everything in the value is of this node alone, and nobody needs it once the node is dead. Then the node
   * may keep the value to itself until others make a step of it; steps cost next to nothing meanwhile.
   */
  isOwn?(state: State): boolean;
}

/**
 * A step could not be made: what the nodes share does not answer, or others were faster too often. Whether it was made all
 * the same is not known; who asked for a lock has none.
 */
export class CoordinationUnavailable extends QuireError {
  constructor(message: string, options?: ErrorOptions) {
    super('coordination-unavailable', message, { ...options, retryable: true, level: 'error' });
  }
}

/**
 * What the nodes that serve a document share while it is open. All of it may be lost at any moment without losing a
 * change: the change log is the judge of every save, whatever stands here.
 */
export interface Coordination {
  /**
   * Replaces a document's shared value by what `step` makes of it, as one atomic step, and returns the step's
   * result. `step` is pure and may be run more than once; states are JSON values, and one that is returned unchanged is
   * the very same object.
   * @throws CoordinationUnavailable
   */
  update<State, Result>(
    documentKey: string,
    value: SharedValue<State>,
    step: (state: State) => readonly [State, Result],
  ): Promise<Result>;

  /** Drops every shared value of a document. */
  forget(documentKey: string): Promise<void>;
}
