import type { OutgoingResponse } from './http-client.ts';

/** Names of versions are short; what is longer is not kept. */
const maxCharacters = 1_000;

/** How the sender of a file names its version: `ETag` and `Last-Modified`, null where it does not. */
export const sourceVersionOf = (headers: OutgoingResponse['headers']) => ({
  etag: named(headers.etag),
  modified: named(headers['last-modified']),
});

const named = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxCharacters ? value : null;
