import type { Request } from 'express';
import { z } from 'zod';
import { HttpClient } from '../../platform/outgoing/http-client.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import { readBody } from '../../platform/outgoing/response-body.ts';
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

/** The largest reply that is no file, bytes. */
const maxReplyBytes = 1_048_576;

interface Question {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  maxBytes?: number;
}

/** The document server as an integrator's back end uses it: commands and downloads. */
export class DocumentServer {
  readonly #address: Address;
  readonly #signature: Signature;
  readonly #http = HttpClient.forOperator();

  constructor(address: Address, signature: Signature) {
    this.#address = address;
    this.#signature = signature;
  }

  /** `POST /command` (integration API, section 8). @throws Refusal when there is no answer */
  async command(command: { c: string; key: string } & Record<string, unknown>): Promise<CommandReply> {
    const { content } = await this.#ask(`${this.#address.forServers()}/command`, commandTimeoutMs, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: await this.#signature.sign(command) }),
    });
    const reply = commandReply.safeParse(parsed(content));
    if (!reply.success) throw unreachable('The document server gave no proper answer.');
    return reply.data;
  }

  /**
   * Extensions of the files that it opens now and of those that it has editors for, by `GET /meta/formats` (integration API,
   * 11.5); null when it does not say.
   */
  async knownTypes(): Promise<{ opened: string[]; edited: string[] } | null> {
    const url = `${this.#address.forServers()}/meta/formats`;
    const answer = await this.#ask(url, commandTimeoutMs).catch(() => null);
    const formats = formatList.safeParse(answer && parsed(answer.content));
    if (!formats.success) return null;
    const named = (wanted: readonly string[]) =>
      formats.data
        .filter(({ actions }) => actions.some((one) => wanted.includes(one)))
        .map(({ name }) => name);
    return { opened: named(opening), edited: named(editing) };
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
    const { status, content } = await this.#ask(url, downloadTimeoutMs, { maxBytes });
    if (status !== 200) throw unreachable(`The document server answered ${status} for the file.`);
    return content;
  }

  async #ask(
    url: string,
    timeoutMs: number,
    { method = 'GET', headers, body, maxBytes = maxReplyBytes }: Question = {},
  ): Promise<{ status: number; content: Buffer }> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await this.#http.send({
        ...{ url, method, headers, body, signal, idleTimeoutMs: timeoutMs },
        ...{ fromVerifiedToken: false, followsRedirects: false },
      });
      return { status: response.status, content: await readBody(response, maxBytes, signal) };
    } catch (error) {
      if (error instanceof RequestError && error.code === 'size')
        throw new Refusal('too-large', 'The file is larger than is allowed here.');
      throw unreachable('The document server cannot be reached.', error);
    }
  }
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
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
