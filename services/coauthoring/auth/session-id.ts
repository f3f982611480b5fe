import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A session's secret id: a keyed hash of the document, the unique user id and the time the session began. Whoever shows
 * it is that session's client; participants never see it, and any node can check it without having stored it.
 */
export function sessionIdOf(secret: string, key: string, uniqueId: string, connectedAtMs: number): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([key, uniqueId, connectedAtMs]))
    .digest('base64url');
}

/** Compares in constant time. */
export function isSessionId(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
