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
