// `node scripts/image-packages.mjs <folder>`: copies the npm packages that the built program needs beside itself to
// `<folder>/node_modules`, for an image. Everything else is in the files of the build.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packagesBesideProgram } from './setup/program.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * The places below the root of the packages beside the program, with all that they need and that is installed for this
 * platform: `node_modules/piscina` and so on.
 */
function placesOfImagePackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  const add = (name, neededBy) => {
    const place = placeOf(packages, name, neededBy);
    if (place === undefined || found.has(place)) return;
    // Optional packages of other platforms are in the lock file and not in the folder.
    if (packages[place].optional && !existsSync(path.join(root, place))) return;
    found.add(place);
    const { dependencies, optionalDependencies } = packages[place];
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(other, place);
  };
  for (const name of packagesBesideProgram) add(name, '');
  return [...found].sort();
}

/** Where Node finds a package that the one at `neededBy` asks for: the nearest `node_modules` on the way up. */
function placeOf(packages, name, neededBy) {
  for (let from = neededBy; ; from = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0))) {
    const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (from === '') return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('Usage: node scripts/image-packages.mjs <folder>');
  for (const place of placesOfImagePackages()) {
    cpSync(path.join(root, place), path.join(folder, place), { recursive: true });
  }
}
