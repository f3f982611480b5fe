import type { Logger } from 'pino';
import type { DocumentRow } from '../../db/document-row.ts';
import type { SourceAddress } from '../../db/entries.ts';
import { sourceVersionOf } from '../../platform/outgoing/download.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import { Deadline } from '../../platform/outgoing/limits.ts';
import { safeAddress } from '../../platform/outgoing/request-error.ts';
import { discard } from '../../platform/outgoing/response-body.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';

/** Somebody waits for the document meanwhile. */
const answerWithinMs = 5_000;

/**
 * Asks the host of a source whether its file is still the one that was fetched, where it named a version then (`ETag`,
 * `Last-Modified`). When the host does not answer, or has no file any more, the file counts as unchanged.
 */
export class SourceCheck {
  readonly #http: HttpClient;
  readonly #tokens: Tokens;
  readonly #log: Logger;

  constructor(http: HttpClient, tokens: Tokens, log: Logger) {
    this.#http = http;
    this.#tokens = tokens;
    this.#log = log;
  }

  async hasChanged(row: DocumentRow, { url, vouched }: SourceAddress): Promise<boolean> {
    const { sourceEtag: etag, sourceModified: modified } = row;
    if (url === null || (etag === null && modified === null)) return false;
    const deadline = new Deadline(answerWithinMs);
    try {
      const response = await this.#http.send({
        url,
        method: 'GET',
        headers: {
          ...(await this.#tokens.downloadHeaders(url)),
          ...(etag === null ? {} : { 'if-none-match': etag }),
          ...(modified === null ? {} : { 'if-modified-since': modified }),
        },
        fromVerifiedToken: vouched,
        idleTimeoutMs: answerWithinMs,
        signal: deadline.signal,
      });
      discard(response);
      const { status, headers } = response;
      if (status !== 200) return false;
      const now = sourceVersionOf(headers);
      // Some hosts name versions and answer conditional requests with the whole file all the same.
      return etag !== null && now.etag !== null
        ? strong(etag) !== strong(now.etag)
        : modified !== now.modified;
    } catch (error) {
      const address = safeAddress(url);
      this.#log.warn(
        { err: error, documentKey: row.key, address },
        'A source could not be asked for changes',
      );
      return false;
    } finally {
      deadline.release();
    }
  }
}

const strong = (etag: string) => etag.replace(/^W\//, '');
