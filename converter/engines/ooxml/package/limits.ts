/** What one package may ask of the process that opens it. Beyond any of these: error -93. */
export const LIMITS = {
  /** Size of the package file. */
  packageBytes: 256 * 1024 * 1024,
  entries: 10_000,
  /** Uncompressed size of one part, declared and actual. */
  partBytes: 128 * 1024 * 1024,
  /** Size of the parts that say what a package is: they are read to find out the kind of a file. */
  indexPartBytes: 4 * 1024 * 1024,
  /** Uncompressed size of all parts together, as declared. */
  totalBytes: 512 * 1024 * 1024,
  /** Uncompressed to compressed size; looked at only for parts larger than `ratioFromBytes`. */
  compressionRatio: 300,
  ratioFromBytes: 32 * 1024 * 1024,
  xmlDepth: 256,
  xmlElements: 3_000_000,
  /** What the model of a document takes, see `ModelBudget`. */
  modelUnits: 1_000_000,
  /** Rows times columns of all tables: browsers keep a map of that size for each. */
  tableGrid: 1_000_000,
  /** Levels of all lists, counted anew for each list that shares them. */
  listLevels: 500_000,
  /** The model as JSON, in UTF-16 code units. */
  modelChars: 128 * 1024 * 1024,
  relationships: 100_000,
  /** Raw XML that copies of opaque content (paste of the same shape) may add to a document. */
  duplicateChars: 8 * 1024 * 1024,
} as const;
