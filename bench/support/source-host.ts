import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { buildDocx } from '../../test/support/docx-fixture.ts';

/** Serves documents, as an integrator's storage does. */
export interface SourceHost {
  /** Address of a one-page docx. `edition` makes it another document, which no server has seen. */
  url(edition?: number): string;
  /** Address that accepts every callback. */
  callbackUrl: string;
  /** Resolves when a callback has reported that the file of a document is there. */
  saved(key: string): Promise<void>;
  stop(): Promise<void>;
}

const sentence = 'Nobody reads this sentence, which stands here to give a paragraph its usual length. ';

function page(edition: number): Uint8Array {
  const paragraphs = Array.from({ length: 12 }, (_, number) => `${number + 1}. ${sentence.repeat(4)}`);
  return buildDocx({ paragraphs: [{ text: `Edition ${edition}`, bold: true }, ...paragraphs] });
}

/** `make` gives the docx of each edition: a page of text unless given. */
export async function startSourceHost(make: (edition: number) => Uint8Array = page): Promise<SourceHost> {
  const awaited = new Map<string, () => void>();
  const pages = new Map<number, Uint8Array>();
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      json(request).then((body) => {
        const { key, status } = body as { key: string; status: number };
        if (status === 2) awaited.get(key)?.();
        response.setHeader('Content-Type', 'application/json').end('{"error":0}');
      });
      return;
    }
    const edition = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    const bytes = pages.get(edition) ?? make(edition);
    pages.set(edition, bytes);
    response.setHeader('Content-Length', bytes.byteLength).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: (edition = 0) => `${address}/${edition}.docx`,
    callbackUrl: `${address}/callback`,
    saved: (key) => new Promise((resolve) => awaited.set(key, resolve)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
