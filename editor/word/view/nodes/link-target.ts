/** An address that may be opened: no scheme that runs code, no path into the editor's own server; else null. */
export function linkTarget(href: string | null): string | null {
  return href !== null && /^(?:https?:\/\/|mailto:|tel:|ftp:\/\/)/i.test(href.trim()) ? href.trim() : null;
}
