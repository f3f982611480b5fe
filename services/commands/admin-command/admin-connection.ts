import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Config } from '../../../platform/config.ts';
import { QuireError } from '../../../platform/quire-error.ts';
import { adminTokenFile } from '../../admin/admin-secrets.ts';
import type { ErrorAnswer } from '../../admin/api.ts';
import { hostInUrl } from '../../http/base-url.ts';

/** How `quire admin` ends. `partly`: it was done, but not every node answered. */
export const exitCodes = { done: 0, refused: 1, unreachable: 2, notSignedIn: 3, partly: 4 } as const;

/** Why a command did not work. */
export class AdminCommandError extends QuireError {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super('admin-command', message, { level: 'info' });
    this.exitCode = exitCode;
  }
}

export interface ConnectionOptions {
  address?: string;
  token?: string;
}

type Settings = Pick<Config, 'adminHost' | 'adminPort' | 'adminPassword' | 'adminToken' | 'dataDir'>;

/** The REST API of a server's administration. */
export class AdminConnection {
  readonly #address: string;
  readonly #token: string;

  private constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** Without options it is the server that this machine's settings describe, with the token that it generated. */
  static async open({ address, token }: ConnectionOptions, config: Settings): Promise<AdminConnection> {
    const where = address ?? `http://${hostInUrl(config.adminHost)}:${config.adminPort}/admin/`;
    const proof =
      token ?? config.adminToken ?? config.adminPassword ?? (await generatedToken(config.dataDir));
    return new AdminConnection(where.endsWith('/') ? where : `${where}/`, proof);
  }

  /** @throws AdminCommandError */
  async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.#send(method, path, body);
    return (await response.json()) as Answer;
  }

  /**
   * Writes what an address answers to a file.
   * @throws AdminCommandError
   */
  async download(path: string, file: string): Promise<void> {
    const response = await this.#send('GET', path);
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file));
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`${this.#address}api/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          'x-quire-operator': `${os.userInfo().username}@${os.hostname()}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      const { cause } = error as Error;
      const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : '';
      throw new AdminCommandError(
        `The administration at ${this.#address} cannot be reached. ${reason}`.trim(),
        exitCodes.unreachable,
      );
    }
    if (response.ok) return response;
    const answer = (await response.json().catch(() => null)) as ErrorAnswer | null;
    const message = answer?.error?.message ?? `Status ${response.status}: this is no administration.`;
    const isRefusedEntry = response.status === 401 || response.status === 429;
    throw new AdminCommandError(message, isRefusedEntry ? exitCodes.notSignedIn : exitCodes.refused);
  }
}

async function generatedToken(dataDir: string): Promise<string> {
  const file = adminTokenFile(dataDir);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new AdminCommandError(
      `There is no token: set ADMIN_TOKEN, or run this where ${file} of the server can be read.`,
      exitCodes.notSignedIn,
    );
  }
}
