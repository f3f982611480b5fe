import type { IncomingMessage } from 'node:http';

const sidPattern = /[?&]sid=([^&]*)/;

/** The id of the session of Engine.IO that a request names; null: it begins one. */
export const sidOf = ({ url = '' }: IncomingMessage): string | null => sidPattern.exec(url)?.[1] ?? null;

/** What differs between the requests of one session (Engine.IO protocol 4, "HTTP long-polling" and "Upgrade"). */
const ofEachRequest = ['sid', 'transport', 't', 'b64'];

/**
 * What the requests of a session have in common: the path, with the document's key, and everything its client has put into the
 * query. A client that puts a random value there proves by it that it began the session.
 */
export function originOf({ url = '' }: IncomingMessage): string {
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  for (const name of ofEachRequest) parameters.delete(name);
  parameters.sort();
  return `${path}?${parameters}`;
}
