import { wordKind } from '../kinds.ts';

/** Version of the document JSON and of what positions and ids mean; a log only fits the version it was made on. */
export const WORD_DOCUMENT_VERSION = wordKind.model.version;

/**
 * Versions that are read, the present one last. In version 2 a bound control in a line was one node, and so were a control that
 * shows a placeholder, and a table with rows or cells in controls.
 */
export const READABLE_VERSIONS: readonly number[] = [2, WORD_DOCUMENT_VERSION];
