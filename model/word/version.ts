import { wordKind } from '../kinds.ts';

/** Version of the document JSON and of what positions and ids mean; a log only fits the version it was made on. */
export const WORD_DOCUMENT_VERSION = wordKind.model.version;

/**
 * Versions that are read, the present one last. In version 2 content controls in a line that are bound or show a placeholder,
 * and tables with rows or cells in content controls, were one node each.
 */
export const READABLE_VERSIONS: readonly number[] = [2, WORD_DOCUMENT_VERSION];
