/** What one change, and the document it makes, may ask of every replica. Beyond any of these a change is skipped. */
export const WORD_LIMITS = {
  /** Length of a change string, in UTF-16 code units. */
  changeChars: 8_000_000,
  /** Nesting of brackets in a change string. */
  jsonDepth: 120,
  /** Nesting of nodes in a document. */
  documentDepth: 48,
  /** Size of a document in ProseMirror positions, unless it was larger when it was opened. */
  documentPositions: 20_000_000,
  /** Steps in one `markSet` step. */
  markSteps: 5_000,
  clientIdChars: 200,
} as const;
