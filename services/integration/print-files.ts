import { pipeline } from 'node:stream/promises';
import type { Router } from 'express';
import { type BlobStore, isBlobHash } from '../../platform/ports/blob-store.ts';
import type { Routing } from '../../platform/ports/document-lifecycle.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import { type Judge, Routes, refused } from '../http/routes.ts';
import { withRouting } from '../http/routing.ts';

/** A PDF that was made for printing. */
export interface PrintFile {
  docKey: string;
  hash: string;
  /** Name that browsers show and save it under. */
  fileName: string;
}

/** How long a link to a PDF that is printed works, seconds. */
export const printLinkLifeS = 900;

/**
 * PDFs to print: `GET /printfile/{key}/{filename}?token=` (integration API, 2.1). Unlike other results they are shown by
 * the browser, which prints what it shows. The token is of the session secret and names the file: it cannot be changed
 * into a link to something else, and no other token opens anything here.
 */
export class PrintFiles {
  readonly #tokens: Tokens;
  readonly #blobs: BlobStore;

  constructor(tokens: Tokens, blobs: BlobStore) {
    this.#tokens = tokens;
    this.#blobs = blobs;
  }

  /** A link that works for a quarter of an hour. `baseUrl`: no slash at the end. */
  async linkTo(
    { docKey, hash, fileName }: PrintFile,
    base: { baseUrl: string; routing: Routing },
  ): Promise<string> {
    const token = await this.#tokens.signSession(
      { document: { key: docKey }, printed: hash },
      printLinkLifeS,
    );
    const name = encodeURIComponent(fileName.toWellFormed().replace(/^\.{0,2}$/, 'document.pdf'));
    const query = new URLSearchParams({ token, filename: fileName });
    return withRouting(`${base.baseUrl}/printfile/${docKey}/${name}?${query}`, base.routing);
  }

  router(): Router {
    const judge: Judge<string> = async ({ query, params }) => {
      const hash = await this.#hashIn(query.token, params.key);
      return hash === null ? refused(403, 'not allowed') : { found: hash };
    };
    const routes = new Routes({ judges: { 'signed link': judge } });
    routes.on('GET /printfile/:key/:filename', async (_request, response, hash) => {
      const sizeBytes = await this.#blobs.sizeOf(hash);
      const stream = sizeBytes === undefined ? undefined : await this.#blobs.open(hash);
      if (!stream) return void response.status(404).json({ error: 'the file is gone' });
      response.set({
        'Content-Type': 'application/pdf',
        'Content-Length': String(sizeBytes),
        'Content-Disposition': 'inline',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; object-src 'self'; plugin-types application/pdf",
        'Cache-Control': 'private, no-store',
      });
      await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
        // A client that left in the middle needs no answer.
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      });
    });
    return routes.router;
  }

  async #hashIn(token: unknown, key: unknown): Promise<string | null> {
    const verified = await this.#tokens.verifySession(token);
    if (verified.kind !== 'ok' || !isDocumentKey(key)) return null;
    const { document, printed } = verified.claims as { document?: { key?: unknown }; printed?: unknown };
    return document?.key === key && isBlobHash(printed) ? printed : null;
  }
}
