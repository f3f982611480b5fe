import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Keeps what the servers and pages of some files left (logs, screenshots), and removes the rest.
 *
 * @param folder of the whole run, one folder a look in it, in that one at the path of each test file
 * @param files test files, relative to the checkout
 * @returns the folder; null when there is nothing to keep
 */
export function keepEvidence(folder, files) {
  const kept = path.join(folder, 'kept');
  let found = false;
  for (const look of readdirSync(folder)) {
    // What several files shared stands beside them.
    for (const file of files.length > 0 ? [...files, 'shared'] : []) {
      const left = path.join(folder, look, file);
      if (!existsSync(left)) continue;
      const place = path.join(kept, look, file);
      mkdirSync(path.dirname(place), { recursive: true });
      renameSync(left, place);
      found = true;
    }
    if (look !== 'kept') rmSync(path.join(folder, look), { recursive: true, force: true });
  }
  return found ? kept : null;
}
