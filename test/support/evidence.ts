import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import path from 'node:path';

/** Name of the environment variable with the folder in which the running test file leaves what it was seen to do. */
export const evidenceVariable = 'QUIRE_TEST_FILE_EVIDENCE';

/** What a browser has open. */
interface Pictured {
  on(event: 'disconnected', gone: () => void): unknown;
  contexts(): { pages(): { screenshot(options: { path: string; timeout: number }): Promise<unknown> }[] }[];
}

const browsers = new Set<Pictured>();
const pictureTimeoutMs = 10_000;
let servers = 0;

/** Has the pages of a browser pictured when a test fails while they are open. */
export function pictureOnFailure(browser: Pictured): void {
  browsers.add(browser);
  browser.on('disconnected', () => browsers.delete(browser));
}

/** Pictures every open page. A page that cannot be pictured is left out. */
export async function takePictures(folder: string, test: string): Promise<void> {
  const name = test.replaceAll(/[^\w]+/g, '-').slice(0, 60);
  const pages = [...browsers].flatMap((browser) => browser.contexts()).flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) {
    const file = path.join(folder, `${name}-${number + 1}.png`);
    await page.screenshot({ path: file, timeout: pictureTimeoutMs }).catch(() => {});
  }
}

/** A file for the log of a server, of the running test file or of those that share it; null where nothing is kept. */
export function serverLog(): WriteStream | null {
  const run = process.env.QUIRE_TEST_EVIDENCE;
  const folder = process.env[evidenceVariable] ?? (run ? path.join(run, 'shared') : null);
  if (folder === null) return null;
  mkdirSync(folder, { recursive: true });
  servers += 1;
  return createWriteStream(path.join(folder, `server-${servers}.log`), { flags: 'a' });
}
