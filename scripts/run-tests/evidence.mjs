import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Keeps what the servers and pages of some files left (logs, screenshots), and removes the rest.
 *
 * @param folder of the whole run, one folder a look in it, one folder a test file in those
 * @param files test files, relative to the checkout
 * @returns the folder; null when there is nothing to keep
 */
export function keepEvidence(folder, files) {
  const kept = path.join(folder, 'kept');
  let found = false;
  for (const look of existsSync(folder) ? readdirSync(folder) : []) {
    for (const file of files) {
      const left = path.join(folder, look, evidenceFolder(file));
      if (!existsSync(left)) continue;
      mkdirSync(path.join(kept, look), { recursive: true });
      renameSync(left, path.join(kept, look, evidenceFolder(file)));
      found = true;
    }
    if (look !== 'kept') rmSync(path.join(folder, look), { recursive: true, force: true });
  }
  return found ? kept : null;
}

/** The name of the folder for what a test file leaves. */
export const evidenceFolder = (file) => file.replaceAll(/[\\/]/g, '--');
