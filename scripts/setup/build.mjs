import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const configurations = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Compiles the TypeScript sources to `dist/` unless `dist/` was made from exactly these sources. */
export function build(root) {
  const sources = sourceFiles(root);
  const fingerprint = fingerprintOf(root, [...configurations, ...sources]);
  const stamp = path.join(root, 'dist', '.sources');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  console.log('Compiling TypeScript …');
  rmSync(stamp, { force: true });
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('the TypeScript sources do not compile.');
  removeLeftovers(root, sources);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** Sources relative to the root, in a stable order. */
function sourceFiles(root) {
  const { include } = JSON.parse(readFileSync(path.join(root, 'tsconfig.build.json'), 'utf8'));
  return include
    .filter((directory) => existsSync(path.join(root, directory)))
    .flatMap((directory) => filesBelow(root, directory))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort();
}

/** By content: a fresh clone or a changed branch makes new file times without any change. */
function fingerprintOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** What was compiled from a source that has been renamed or removed would be imported by mistake. */
function removeLeftovers(root, sources) {
  const expected = new Set(sources.map((file) => file.replace(/\.ts$/, '')));
  for (const file of filesBelow(path.join(root, 'dist'), '')) {
    const source = /^(.*)\.js(\.map)?$/.exec(file)?.[1];
    if (source !== undefined && !expected.has(source)) rmSync(path.join(root, 'dist', file));
  }
}

function filesBelow(root, directory) {
  return readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(root, file) : [file];
  });
}
