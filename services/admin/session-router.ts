import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { EndedSessions } from '../../db/ended-sessions.ts';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { baseUrl } from '../http/base-url.ts';
import { callerAddress } from '../http/caller.ts';
import {
  type Access,
  type AdminSession,
  adminSessionS,
  nameOf,
  type Operator,
  operatorOf,
} from './access.ts';
import type { Actions } from './actions.ts';
import { AdminError } from './admin-error.ts';
import type { SessionAnswer } from './api.ts';
import type { LoginLimit } from './login-limit.ts';
import { PartialAnswer } from './partial-answer.ts';
import { read } from './request-reading.ts';

interface SessionDependencies {
  config: Pick<Config, 'trustProxy'>;
  access: Access;
  limit: LoginLimit;
  ended: Pick<EndedSessions, 'add' | 'has'>;
  actions: Actions;
  nodeId: string;
  version: string;
  log: Logger;
}

const cookieName = 'quire-admin';
/** How long it is looked up whether somebody has signed out, milliseconds. */
const sessionWaitMs = 400;
/** Pages of other sites cannot send this header: a browser would ask for permission first, and never gets it. */
const ownHeader = 'x-quire-admin';
/** The name that a client with a token gives itself. */
const nameHeader = 'x-quire-operator';

const loginSchema = z.object({
  password: z.string().min(1).max(1_000),
  name: z.string().max(200).default(''),
});

/** Signs operators in and out, and refuses requests of everybody else. */
export class AdminSessions {
  readonly #deps: SessionDependencies;

  constructor(dependencies: SessionDependencies) {
    this.#deps = dependencies;
  }

  /** `POST|DELETE /session`; before the guard. */
  router(): Router {
    const router = Router();
    router.post('/session', (request, response) => {
      refuseOtherSites(request);
      const { password, name } = read(loginSchema, request.body);
      const role = this.#roleOf(password, request);
      const operator = { role, name: nameOf(name) || 'operator' };
      this.#deps.log.info({ operator, from: this.#from(request) }, 'An operator signed in');
      response.set('Set-Cookie', this.#cookie(request, this.#deps.access.begin(operator), adminSessionS));
      response.json(this.#answer(operator));
    });
    router.delete('/session', async (request, response) => {
      refuseOtherSites(request);
      const session = this.#deps.access.sessionOf(cookieOf(request));
      // The browser forgets it in any case; that it is over for others who have it, the database has to know.
      response.set('Set-Cookie', this.#cookie(request, '', 0));
      const { actions, ended } = this.#deps;
      if (session) await actions.done('database', () => ended.add(session.id, session.expiresS));
      response.status(204).end();
    });
    return router;
  }

  /** Accepts requests with a session or a token, and logs what they change or download. */
  readonly guard: RequestHandler = async (request, response, next) => {
    const operator = await this.#operator(request);
    response.locals.operator = operator;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || isDownload(request)) this.#record(request, response, operator);
    next();
  };

  /** `GET /session`; behind the guard. */
  readonly show: RequestHandler = (_request, response) => {
    response.json(this.#answer(operatorOf(response)));
  };

  #answer({ role, name }: Operator): SessionAnswer {
    const { nodeId, version } = this.#deps;
    return { role, name, nodeId, version };
  }

  async #operator(request: Request): Promise<Operator> {
    const bearer = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
    if (bearer !== undefined) {
      const role = this.#roleOf(bearer, request);
      return { role, name: nameOf(String(request.headers[nameHeader] ?? '')) || 'token' };
    }
    const session = this.#deps.access.sessionOf(cookieOf(request));
    if (!session || (await this.#hasEnded(session))) {
      throw new AdminError('not-signed-in', 'Sign in first, or send a token as Authorization: Bearer …');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseOtherSites(request);
    return session.operator;
  }

  /** When the database does not answer, a session goes on: operators need the page just then. */
  async #hasEnded({ id }: AdminSession): Promise<boolean> {
    const hasEnded = await new PartialAnswer().of('database', this.#deps.ended.has(id), sessionWaitMs);
    if (hasEnded === null) this.#deps.log.warn('Whether an operator has signed out could not be looked up');
    return hasEnded === true;
  }

  /** The role that a password or token gives. After wrong attempts an address has to wait, longer each time. */
  #roleOf(proof: string, request: Request): Operator['role'] {
    const { access, limit, log } = this.#deps;
    const from = this.#from(request);
    const counted = this.#countedFor(request);
    const waitMs = Math.max(...counted.map((address) => limit.waitMs(address)));
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      throw new AdminError('too-many-attempts', `Too many wrong attempts: try again in ${seconds} s.`, {
        retryAfterS: seconds,
      });
    }
    const role = access.roleOf(proof);
    if (!role) {
      for (const address of counted) limit.failed(address);
      log.warn({ from }, 'An operator was refused: wrong password or token');
      throw new AdminError('wrong-password', 'This is not the password or a token of this server.');
    }
    // Somebody who may only look may still be guessing the other passwords.
    if (role === 'full') for (const address of counted) limit.succeeded(address);
    return role;
  }

  /**
   * The addresses for which a wrong attempt counts: the caller, and the peer of the connection if it forwards for others.
   * Without the second, a client that connects directly could name another caller in each request. Both are counted apart
   * from requests without the header, so that clients of a proxy on this machine do not lock out its operators.
   */
  #countedFor(request: Request): string[] {
    const { remoteAddress = 'unknown' } = request.socket;
    const { 'x-forwarded-for': older, forwarded } = request.headers;
    const isForwarded = older !== undefined || forwarded !== undefined;
    return isForwarded ? [this.#from(request), `through ${remoteAddress}`] : [remoteAddress];
  }

  #record(request: Request, response: Response, operator: Operator): void {
    const { log } = this.#deps;
    const action = { method: request.method, path: decodedPath(request) };
    const from = this.#from(request);
    response.once('close', () => {
      log.info({ operator, from, action, status: response.statusCode }, 'An operator acted');
    });
  }

  #from(request: Request): string {
    return callerAddress(request, this.#deps.config) ?? 'unknown';
  }

  /** Without a path: browsers take the folder of the address as they see it, also behind a proxy that changes paths. */
  #cookie(request: Request, value: string, lifeS: number): string {
    const isSecure = baseUrl(request, { ...this.#deps.config, publicUrl: undefined }).startsWith('https:');
    const secure = isSecure ? '; Secure' : '';
    return `${cookieName}=${value}; Max-Age=${lifeS}; HttpOnly; SameSite=Strict${secure}`;
  }
}

function cookieOf({ headers }: Request): string {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=');
    if (name === cookieName) return value;
  }
  return '';
}

function refuseOtherSites({ headers }: Request): void {
  const site = headers['sec-fetch-site'];
  if (headers[ownHeader] === '1' && (site === undefined || site === 'same-origin')) return;
  throw new AdminError('other-site', `Changes need the header ${ownHeader}: 1, from this site's own pages.`);
}

/** The addresses from which documents are downloaded. */
const isDownload = ({ path }: Request): boolean => /^\/saves\/[^/]+\/(?:file|base|changes)$/.test(path);

const decodedPath = ({ path }: Request): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
