import type { DocumentEvents } from '../../../client/document-events.ts';

/** How far the opening of a document is, as far as that is known; `lost`: the server does not answer. */
export type OpeningStage = Omit<DocumentEvents['opening'], 'type'> | { readonly stage: 'lost' };
