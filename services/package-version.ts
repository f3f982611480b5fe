import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the package, whether the server runs from its sources or from what was built of them. */
const root = fileURLToPath(import.meta.url).replace(/(?:\/dist)?\/services\/[^/]+$/, '');

/** The version of this server, as its package says. */
export const packageVersion: string = (
  JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string }
).version;
