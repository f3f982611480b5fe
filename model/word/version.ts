/** Version of the document JSON and of what positions and ids mean; a log only fits the version it was made on. */
export const WORD_DOCUMENT_VERSION = 3;

/** A document that another version of this software made; what it means is not known here. */
export class WordVersionError extends TypeError {
  override readonly name = 'WordVersionError';
}
