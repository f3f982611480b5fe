import type { ServerResponse } from 'node:http';

/** Refuses an upgrade: a proxy then asks another server; clients come again by themselves, after so many seconds if they can. */
export const comeAgain = (afterS: number): string =>
  `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${afterS}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
export const comeElsewhere = comeAgain(1);

/** In the form of Engine.IO, whose clients retry on each answer that is no success. */
const busy = JSON.stringify({ code: 3, message: 'Too many come at once' });

/** Refuses to begin a session of long polling in the same way. */
export function answerComeAgain(response: ServerResponse, afterS: number): void {
  const headers = {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Retry-After',
    'retry-after': String(afterS),
  };
  response.writeHead(503, headers).end(busy);
}
