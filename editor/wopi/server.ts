import { routingIn } from '../frame/server-address.ts';

/** What the server wrote into the page: the attribute `data-json` of an element, null when there is none. */
export const pageData = (id: string): string | null =>
  document.getElementById(id)?.getAttribute('data-json') ?? null;

/** The same as JSON. */
export function pageJson<Value>(id: string): Value | null {
  const text = pageData(id);
  return text === null ? null : (JSON.parse(text) as Value);
}

/** The signed claims, with which the page asks the server for things. */
export const pageToken = (): string =>
  /"([^"]*)"/.exec(document.getElementById('tokenData')?.textContent ?? '')?.[1] ?? '';

/** As much of what the host says of the file as the page acts on (integration API, 13.3). */
export interface FileInfo {
  HostEditUrl?: string;
  CloseUrl?: string;
  FileSharingUrl?: string;
  FileVersionUrl?: string;
  PostMessageOrigin?: string;
  ClosePostMessage?: boolean;
  EditModePostMessage?: boolean;
  EditNotificationPostMessage?: boolean;
  FileSharingPostMessage?: boolean;
  FileVersionPostMessage?: boolean;
  EnableInsertRemoteImage?: boolean;
  SupportsRename?: boolean;
  UserCanRename?: boolean;
  UserCanWrite?: boolean;
  SupportsUpdate?: boolean;
  UserCanNotWriteRelative?: boolean;
}

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
