import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../../platform/config.ts';
import { HttpClient, type OutgoingResponse } from '../../../platform/outgoing/http-client.ts';
import { networkCause } from '../../../platform/outgoing/network-cause.ts';
import { asRequestError, RequestError } from '../../../platform/outgoing/request-error.ts';
import { readJson } from '../../../platform/outgoing/response-body.ts';
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

/** The longest silence of a server that is at work on an answer, milliseconds. */
const idleTimeoutMs = 300_000;
/** The largest answer that is shown, bytes. */
const maxAnswerBytes = 256 * 1_048_576;

/** The REST API of a server's administration. */
export class AdminConnection {
  readonly #address: string;
  readonly #token: string;
  readonly #http = HttpClient.forOperator();
  /** Nobody ends a request but who ends the command. */
  readonly #signal = new AbortController().signal;

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
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    return this.#reached(async () => {
      const response = await this.#send(method, path, body);
      const answer = await readJson(response, maxAnswerBytes, this.#signal);
      if (answer === undefined) throw noAdministration(response.status);
      return answer as Answer;
    });
  }

  /**
   * Writes what an address answers to a file.
   * @throws AdminCommandError
   */
  download(path: string, file: string): Promise<void> {
    return this.#reached(async () => {
      const { body, url } = await this.#send('GET', path);
      await pipeline(body, createWriteStream(file)).catch((error: unknown) => {
        throw networkCause(error) ? asRequestError(error, url, this.#signal) : error;
      });
    });
  }

  async #send(method: string, path: string, body?: object): Promise<OutgoingResponse> {
    const response = await this.#http.send({
      ...{ url: `${this.#address}api/${path}`, method, idleTimeoutMs, signal: this.#signal },
      fromVerifiedToken: false,
      headers: {
        authorization: `Bearer ${this.#token}`,
        'x-quire-operator': `${os.userInfo().username}@${os.hostname()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    if (status >= 200 && status < 300) return response;
    const answer = (await readJson(response, maxAnswerBytes, this.#signal)) as ErrorAnswer | null | undefined;
    const isRefusedEntry = status === 401 || status === 429;
    const exitCode = isRefusedEntry ? exitCodes.notSignedIn : exitCodes.refused;
    throw answer?.error
      ? new AdminCommandError(answer.error.message, exitCode)
      : noAdministration(status, exitCode);
  }

  async #reached<Result>(request: () => Promise<Result>): Promise<Result> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      throw new AdminCommandError(
        `The administration at ${this.#address} cannot be reached. ${error.message}.`,
        exitCodes.unreachable,
      );
    }
  }
}

const noAdministration = (status: number, exitCode: number = exitCodes.refused): AdminCommandError =>
  new AdminCommandError(`Status ${status}: this is no administration.`, exitCode);

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
