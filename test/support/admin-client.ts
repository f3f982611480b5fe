import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { QuireProcess } from './quire-process.ts';

/** What the administration answered. */
export interface AdminReply<Body> {
  status: number;
  body: Body;
  headers: Headers;
}

/** A program that administrates a server by its REST API. */
export class AdminClient {
  readonly #address: string;
  readonly #token: string;

  /** `token` empty: it does not say who it is. */
  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** With the token that the server generated. */
  static async of(quire: QuireProcess): Promise<AdminClient> {
    const token = await readFile(path.join(quire.dataDir, 'admin-token'), 'utf8');
    return new AdminClient(quire.adminAddress, token.trim());
  }

  async ask<Body = Record<string, never>>(
    method: string,
    where: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<AdminReply<Body>> {
    const response = await fetch(`${this.#address}api/${where}`, {
      ...{ method, signal },
      headers: {
        'content-type': 'application/json',
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text && JSON.parse(text)) as Body };
  }

  /** The answer of a GET that must succeed. `signal` ends it before it is answered. */
  async get<Body>(where: string, signal: AbortSignal | null = null): Promise<Body> {
    const { status, body } = await this.ask<Body>('GET', where, undefined, {}, signal);
    if (status !== 200) throw new Error(`${where}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** The bytes of a download. */
  async download(where: string): Promise<Uint8Array> {
    const response = await fetch(`${this.#address}api/${where}`, {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    if (!response.ok) throw new Error(`${where}: ${response.status} ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
