import { routingIn } from '../frame/routing.ts';
import { pageToken } from './page-data.ts';

/** What the server answers: `error` in words where it was not done. */
export interface ServerAnswer {
  error?: string;
  name?: string;
  url?: string | null;
}

/** Asks the server for something in this person's name. `path` is below `hosting/wopi/`. */
export async function askServer(
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<ServerAnswer> {
  try {
    const response = await fetch(`../${path}?${new URLSearchParams(routingIn(location.search))}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, token: pageToken() }),
    });
    return (await response.json()) as ServerAnswer;
  } catch (error) {
    return { error: String(error) };
  }
}
