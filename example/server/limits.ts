/** What the example's storage takes at most. */
export interface ExampleLimits {
  /** Largest uploaded or assembled file, bytes. */
  maxFileBytes: number;
  maxDocuments: number;
  /** No document is added when all versions together have this size, bytes. */
  maxTotalBytes: number;
  /** Versions kept of a document; the oldest goes when another comes. */
  maxVersions: number;
  /** How long a deleted document can be brought back, milliseconds. */
  keepDeletedMs: number;
  /** How long a restore waits until everybody has left the document, milliseconds. */
  closingTimeoutMs: number;
}

export const defaultLimits: ExampleLimits = {
  maxFileBytes: 26_214_400,
  maxDocuments: 200,
  maxTotalBytes: 2 * 1024 ** 3,
  maxVersions: 100,
  keepDeletedMs: 86_400_000,
  closingTimeoutMs: 30_000,
};
