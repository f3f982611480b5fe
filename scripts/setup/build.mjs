import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const configurations = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
const programScript = fileURLToPath(new URL('./program.mjs', import.meta.url));
/** What the browser's pages are made of, beside the sources of the server. */
const browserFolder = 'editor';
/** Folders of `dist/` that hold what browsers load. */
const pageFolders = ['web', 'embed'];
/** Folders of `dist/` that are not compiled file by file. */
const builtFolders = [...pageFolders, 'report', 'program'];

/** Builds server and pages into `dist/`, each unless it was made from exactly these sources. */
export async function build(root) {
  const sources = sourceFiles(root);
  await unlessBuilt(root, '.sources', [...configurations, ...sources], () => {
    console.log('Compiling TypeScript …');
    forgetLastCompilation(root, sources);
    runTool(root, 'typescript-7/bin/tsc', ['-p', 'tsconfig.build.json']);
    removeLeftovers(root, sources);
  });
  await unlessBuilt(root, '.program', [...configurations, programScript, ...sources], async () => {
    rmSync(path.join(root, 'dist', 'program'), { recursive: true, force: true });
    const { programContext } = await import('./program.mjs');
    const program = await programContext(root);
    await program.rebuild().finally(() => program.dispose());
  });
  // An image of the workers alone has no pages.
  if (!existsSync(path.join(root, browserFolder))) return;
  const browserSources = filesBelow(root, browserFolder).filter((file) => !/\.test\.tsx?$/.test(file));
  await unlessBuilt(root, '.pages', [...configurations, ...sources, ...browserSources.sort()], () => {
    console.log('Building the pages …');
    for (const part of ['', 'api/', 'load-report/']) {
      const config = `${browserFolder}/${part}vite.config.ts`;
      runTool(root, 'vite/bin/vite.js', ['build', '--logLevel', 'warn', '--config', config]);
    }
    for (const folder of pageFolders) compress(path.join(root, 'dist', folder));
  });
}

async function unlessBuilt(root, stampName, files, make) {
  const fingerprint = fingerprintOf(root, files);
  const stamp = path.join(root, 'dist', stampName);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  rmSync(stamp, { force: true });
  await make();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint);
}

function runTool(root, script, args) {
  const { status } = spawnSync(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Started by a test, pages would have the checks that libraries make for developers, and be larger.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error('the sources do not compile.');
}

/** Compressed once here instead of with every request. */
function compress(directory) {
  for (const file of filesBelow(directory, '')) {
    if (!/\.(?:m?js|css|html|svg|json|wasm)$/.test(file)) continue;
    const whole = path.join(directory, file);
    const content = readFileSync(whole);
    writeFileSync(`${whole}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${whole}.br`, brotliCompressSync(content));
  }
}

/** Sources relative to the root, in a stable order. */
function sourceFiles(root) {
  const { include } = JSON.parse(readFileSync(path.join(root, 'tsconfig.build.json'), 'utf8'));
  return include
    .filter((directory) => existsSync(path.join(root, directory)))
    .flatMap((directory) => filesBelow(root, directory))
    .filter((file) => /(?<!\.(?:test|trial))\.ts$/.test(file))
    .sort();
}

/** By content: a fresh clone or a changed branch makes new file times without any change. */
function fingerprintOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.resolve(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The compiler believes its record of the last time: where what it wrote then is gone, it has to write everything. */
function forgetLastCompilation(root, sources) {
  const compiled = (source) => path.join(root, 'dist', source.replace(/\.ts$/, '.js'));
  if (sources.every((source) => existsSync(compiled(source)))) return;
  rmSync(path.join(root, 'dist', '.tsbuildinfo'), { force: true });
}

/** What was compiled from a source that has been renamed or removed would be imported by mistake. */
function removeLeftovers(root, sources) {
  const expected = new Set(sources.map((file) => file.replace(/\.ts$/, '')));
  for (const file of filesBelow(path.join(root, 'dist'), '')) {
    if (builtFolders.includes(file.split(path.sep)[0])) continue;
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
