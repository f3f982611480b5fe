/** The address of a file at a WOPI host, and the host's id of it. */
export interface FileSource {
  /** Without a fragment, and without an access token. */
  url: string;
  fileId: string;
}

const longestSource = 4_096;

/** Reads a `WOPISrc`; null when it is no address of a file. */
export function readFileSource(given: unknown): FileSource | null {
  if (typeof given !== 'string' || given.length > longestSource || !URL.canParse(given)) return null;
  const url = new URL(given);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  url.hash = '';
  url.searchParams.delete('access_token');
  url.searchParams.delete('access_token_ttl');
  url.pathname = url.pathname.replace(/\/+$/, '');
  const fileId = decoded(url.pathname.split('/').at(-1) ?? '');
  return fileId === '' ? null : { url: url.href, fileId };
}

/** An address of a file's host with a sub-path and the access token. */
export function addressOf(source: string, accessToken: string, subPath = ''): string {
  const url = new URL(source);
  url.pathname += subPath;
  url.searchParams.set('access_token', accessToken);
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
