import type { Request } from 'express';
import { z } from 'zod';
import { Refusal } from './refusal.ts';
import type { Signature } from './signature.ts';

const commandTimeoutMs = 10_000;
const downloadTimeoutMs = 60_000;
/** Everything the document server hands out lies below this path (integration API, 11.1). */
const filesPath = '/cache/files/';

const commandReply = z.object({ error: z.number(), users: z.array(z.string()).optional() });
const formatList = z.array(z.object({ name: z.string(), actions: z.array(z.string()) }));
const editing = ['edit', 'lossy-edit'];
const opening = ['view', ...editing];
type CommandReply = z.infer<typeof commandReply>;

/** The document server as an integrator's back end uses it: commands and downloads. */
export class DocumentServer {
  readonly #address: Address;
  readonly #signature: Signature;

  constructor(address: Address, signature: Signature) {
    this.#address = address;
    this.#signature = signature;
  }

  /** `POST /command` (integration API, section 8). @throws Refusal when there is no answer */
  async command(command: { c: string; key: string } & Record<string, unknown>): Promise<CommandReply> {
    const response = await this.#fetch(`${this.#address.forServers()}/command`, commandTimeoutMs, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: await this.#signature.sign(command) }),
    });
    const reply = commandReply.safeParse(await response.json().catch(() => null));
    if (!reply.success) throw unreachable('The document server gave no proper answer.');
    return reply.data;
  }

  /**
   * Extensions of the files that it opens now and of those that it has editors for, by `GET /meta/formats` (integration API,
   * 11.5); null when it does not say.
   */
  async knownTypes(): Promise<{ opened: string[]; edited: string[] } | null> {
    try {
      const url = `${this.#address.forServers()}/meta/formats`;
      const response = await this.#fetch(url, commandTimeoutMs, {});
      const formats = formatList.safeParse(await response.json());
      if (!formats.success) return null;
      const named = (wanted: readonly string[]) =>
        formats.data
          .filter(({ actions }) => actions.some((one) => wanted.includes(one)))
          .map(({ name }) => name);
      return { opened: named(opening), edited: named(editing) };
    } catch {
      return null;
    }
  }

  /**
   * Fetches a file that the document server named. Its links carry the address that browsers know, so only their path is
   * used; a link to anywhere else is refused.
   * @throws Refusal when the link leads elsewhere, the file cannot be fetched, or is larger than `maxBytes`
   */
  async download(link: string, maxBytes: number): Promise<Uint8Array> {
    const { pathname, search } = URL.canParse(link) ? new URL(link) : { pathname: '', search: '' };
    const start = pathname.indexOf(filesPath);
    if (start < 0) throw new Refusal('bad-request', 'The link is not one of the document server.');
    const url = `${this.#address.forServers()}${pathname.slice(start)}${search}`;
    const response = await this.#fetch(url, downloadTimeoutMs, { redirect: 'error' });
    if (!response.ok || !response.body) {
      throw unreachable(`The document server answered ${response.status} for the file.`);
    }
    return readAll(response.body, maxBytes);
  }

  async #fetch(url: string, timeoutMs: number, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      throw unreachable('The document server cannot be reached.', error);
    }
  }
}

async function readAll(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new Refusal('too-large', 'The file is larger than is allowed here.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unreachable(message: string, cause?: unknown): Refusal {
  const refusal = new Refusal('server-unreachable', message);
  refusal.cause = cause;
  return refusal;
}

/**
 * The address of an application, without a slash at its end. Browsers and servers often know the same application under
 * different names: a container, for one, cannot reach the port that browsers see.
 */
export interface Address {
  forBrowsers(request: Request): string;
  forServers(): string;
}
