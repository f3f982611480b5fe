/** Version of the document JSON and of what positions and ids mean; a log only fits the version it was made on. */
export const WORD_DOCUMENT_VERSION = 2;
