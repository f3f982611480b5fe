/** What a step, and the document it makes, may ask of every replica. Beyond any of these a change is skipped. */
export const WORD_LIMITS = {
  /** Nesting of nodes in a document. */
  documentDepth: 48,
  /** Size of a document in ProseMirror positions, unless it was larger when it was opened. */
  documentPositions: 20_000_000,
  /** Steps in one `markSet` step. */
  markSteps: 5_000,
} as const;
