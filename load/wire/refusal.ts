import { ConnectError } from './target.ts';

/** What a server answers who does not give a connection. */
interface Answer {
  status: number;
  /** The header `Retry-After`: seconds, or a date. */
  retryAfter?: string | undefined;
  body?: string;
}

/** With these a server, or a proxy before it, says that there is no room now (RFC 9110, 15.6.4; RFC 6585, 4). */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);
/** Engine.IO: the server would not have this client; those below say that the request is wrong, and no later one would be better. */
const forbidden = 4;
/** Engine.IO: a version that the server does not speak. */
const otherVersion = 5;

/** The error of somebody who is not given a connection: `busy` where clients of the protocol come again. */
export function refusalOf({ status, retryAfter, body = '' }: Answer): ConnectError {
  const message = `The server refused a connection: HTTP ${status}`;
  if (!busyStatuses.has(status) && !asksToComeAgain(body)) return new ConnectError('refused', message);
  return new ConnectError('busy', message, { retryable: true, retryAfterMs: millisecondsOf(retryAfter) });
}

/** Whether it is the JSON error of an Engine.IO server that has nothing against the request as such. */
function asksToComeAgain(body: string): boolean {
  try {
    const { code, message } = JSON.parse(body) as { code?: unknown; message?: unknown };
    return (
      typeof code === 'number' && typeof message === 'string' && code >= forbidden && code !== otherVersion
    );
  } catch {
    return false;
  }
}

function millisecondsOf(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Math.max(0, ms || 0);
}
