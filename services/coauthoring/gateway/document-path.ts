import { versionPrefixPattern } from '../../http/base-url.ts';

const keyPattern = /^(?!\.{1,2}$)[0-9A-Za-z\-._=]{1,240}$/;

/** Whether a text may be a document key (integration API, sections 2.1 and 4.2). `.` and `..` have no address of their own. */
export function isDocumentKey(text: unknown): text is string {
  return typeof text === 'string' && keyPattern.test(text);
}

/** The document part of `/doc/{key}/c/…` and `/ws/{key}`, behind an optional version prefix; the key as the client wrote it. */
const versionPrefix = `(?:${versionPrefixPattern})?`;
const engineIoPath = new RegExp(`^${versionPrefix}/doc/`, 'i');
const documentPath = new RegExp(`^${versionPrefix}/doc/([^/?#]*)/c.`, 'i');
const plainPath = new RegExp(`^${versionPrefix}/ws/([^/?#]+)/?(?:\\?|$)`, 'i');

export const isEngineIoPath = (url: string): boolean => engineIoPath.test(url);

/** Whether the address names a document as clients do (co-authoring protocol, section 2.1); some name none there. */
export function namesDocument(url: string): boolean {
  const key = keyIn(url, documentPath);
  return key === '' || isDocumentKey(key);
}

export const isPlainPath = (url: string): boolean => isDocumentKey(keyIn(url, plainPath));

/** The key of the document that a connection is for; null where the address names none. */
export function documentIn(url: string): string | null {
  const key = keyIn(url, documentPath) ?? keyIn(url, plainPath);
  return isDocumentKey(key) ? key : null;
}

/** Clients may write any character of a key encoded: an equals sign mostly is. Null where there is no key. */
function keyIn(url: string, path: RegExp): string | null {
  const written = path.exec(url)?.[1];
  if (written === undefined) return null;
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
}
