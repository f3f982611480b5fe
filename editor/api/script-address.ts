/** Where this script was loaded from, and what its address asks for. */
export interface ScriptAddress {
  /** Address of the editor apps, with the server's sub-path and version prefix and a slash at the end. */
  apps: string;
  /** Copied into the addresses of the editors, so that a balancer keeps a document on one node. */
  shardKey: string | null;
  /** The element that gets the page which loads the editors beforehand. */
  preloadInto: string | null;
}

/** The first is always the address of this script; at the second there may be the script of other editors. */
const endings = ['quire/api/documents/api.js', 'api/documents/api.js'];

/** Reads the address of a script element; null if it is not this script's. */
export function readScriptAddress(src: string): ScriptAddress | null {
  let url: URL;
  try {
    url = new URL(src);
  } catch {
    return null;
  }
  const ending = endings.find((one) => url.pathname.endsWith(`/${one}`));
  if (!ending) return null;
  const { searchParams: query } = url;
  return {
    apps: url.origin + url.pathname.slice(0, -ending.length),
    shardKey: query.get('shardkey') ?? query.get('shardKey'),
    preloadInto: query.get('placeholder') ?? query.get('preload'),
  };
}

/** The script that is running, or else the first element of the page that has loaded it. */
export function findOwnScript(): ScriptAddress | null {
  const running = document.currentScript as HTMLScriptElement | null;
  const scripts = running ? [running] : [];
  for (const { src } of [...scripts, ...Array.from(document.scripts)]) {
    const address = readScriptAddress(src);
    if (address) return address;
  }
  return null;
}
