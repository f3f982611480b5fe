// Builds the calculation engine of spreadsheets, `model/calculation/engine/calculation.wasm`, and what belongs to it:
//
//     node scripts/build-calculation.mjs [--to DIR] [--in DIR]
//
// `--to`: where the results go, the engine's folder unless said; `--in`: where it works, a folder of the system's temporary files
// unless said. It wants a Rust compiler with its sources and a linker for WebAssembly; Debian's packages rustc-web, cargo-web,
// rust-web-src and lld are such. RUSTC, CARGO and WASM_LD name others. Nobody who does not change the engine needs any of them.
//
// Cargo.lock lies in the repository without the address of a registry; whatever registry cargo is set up with is asked, and the
// checksums in Cargo.lock say what has to come from it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const engine = path.join(
  path.dirname(path.dirname(fileURLToPath(import.meta.url))),
  'model',
  'calculation',
  'engine',
);
const crate = 'ironcalc_base';

/** The programs to build with, or undefined where one is missing. */
export function findTools() {
  const tools = {
    rustc: process.env.RUSTC ?? '/usr/bin/rustc',
    cargo: process.env.CARGO ?? '/usr/bin/cargo',
    linker: process.env.WASM_LD ?? '/usr/bin/wasm-ld',
  };
  try {
    const version = (program) =>
      execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const versions = {
      rustc: version(tools.rustc),
      cargo: version(tools.cargo),
      linker: version(tools.linker),
    };
    const sysroot = execFileSync(tools.rustc, ['--print', 'sysroot'], { encoding: 'utf8' }).trim();
    const library = path.join(sysroot, 'lib', 'rustlib', 'src', 'rust', 'library');
    return existsSync(path.join(library, 'Cargo.toml')) ? { ...tools, versions, library } : undefined;
  } catch {
    return undefined;
  }
}

/** What the engine is made of, in the repository: a hash over names and contents. */
export function hashOfSources() {
  const hash = createHash('sha256');
  for (const name of ['Cargo.toml', 'Cargo.lock', 'upstream.json', 'src', 'patches', 'added'])
    for (const file of filesIn(name)) {
      hash
        .update(`${file}\0`)
        .update(readFileSync(path.join(engine, file)))
        .update('\0');
    }
  return hash.digest('hex');
}

/** A file, or all below a folder, in a stable order; with `/` on every system. */
function filesIn(name) {
  const whole = path.join(engine, name);
  if (!statSync(whole).isDirectory()) return [name];
  return readdirSync(whole)
    .sort()
    .flatMap((entry) => filesIn(`${name}/${entry}`));
}

/**
 * Builds into a folder: `calculation.wasm`, `calculation.json` (what it was made with, and its hash) and the notices.
 * @param tools as `findTools` gives them
 */
export function buildCalculation(
  tools,
  { to = engine, work = path.join(tmpdir(), 'quire-calculation') } = {},
) {
  const cargo = (cwd, args, env = {}) =>
    execFileSync(tools.cargo, args, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, RUSTC: tools.rustc, ...env },
    });
  const source = path.join(work, 'source');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  for (const name of ['Cargo.toml', 'src'])
    cpSync(path.join(engine, name), path.join(source, name), { recursive: true });
  const settings = JSON.parse(readFileSync(path.join(engine, 'upstream.json'), 'utf8'));
  const upstream = fetchUpstream(cargo, path.join(work, 'upstream'), settings);
  cpSync(upstream.folder, path.join(source, crate), { recursive: true });
  const byNumber = (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10);
  for (const patch of readdirSync(path.join(engine, 'patches')).sort(byNumber)) {
    execFileSync('git', ['apply', '--whitespace=nowarn', path.join(engine, 'patches', patch)], {
      cwd: path.join(source, crate),
      // The folder may lie within somebody's repository, which `git apply` would take for the root of the paths.
      env: { ...process.env, GIT_CEILING_DIRECTORIES: work, GIT_DIR: path.join(work, 'no-repository') },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  cpSync(path.join(engine, 'added'), path.join(source, crate), { recursive: true });
  const lock = path.join(engine, 'Cargo.lock');
  if (existsSync(lock))
    writeFileSync(
      path.join(source, 'Cargo.lock'),
      withSources(readFileSync(lock, 'utf8'), upstream.registry),
    );
  const target = path.join(work, 'target');
  const home = process.env.CARGO_HOME ?? path.join(homedir(), '.cargo');
  cargo(
    source,
    [
      ...['build', '--release', '--target', 'wasm32-unknown-unknown', '--target-dir', target],
      ...['-Z', 'build-std=std,panic_abort'],
      ...(existsSync(lock) ? ['--locked'] : []),
    ],
    {
      RUSTC_BOOTSTRAP: '1',
      RUSTFLAGS: [
        `-Clinker=${tools.linker}`,
        '-Clink-arg=-zstack-size=16777216',
        // Neither places in sources nor folders of this machine get into the result.
        '-Zlocation-detail=none',
        `--remap-path-prefix=${source}=engine`,
        `--remap-path-prefix=${path.join(home, 'registry', 'src')}=crates`,
        `--remap-path-prefix=${tools.library}=library`,
      ].join(' '),
    },
  );
  const wasm = readFileSync(path.join(target, 'wasm32-unknown-unknown', 'release', 'quire_calculation.wasm'));
  mkdirSync(to, { recursive: true });
  writeFileSync(
    path.join(to, 'Cargo.lock'),
    withoutSources(readFileSync(path.join(source, 'Cargo.lock'), 'utf8')),
  );
  writeFileSync(path.join(to, 'calculation.wasm'), wasm);
  const made = {
    sha256: createHash('sha256').update(wasm).digest('hex'),
    sources: hashOfSources(),
    ...tools.versions,
  };
  writeFileSync(path.join(to, 'calculation.json'), `${JSON.stringify(made, null, 2)}\n`);
  const metadata = JSON.parse(
    cargo(source, [
      'metadata',
      '--format-version',
      '1',
      '--locked',
      '--filter-platform',
      'wasm32-unknown-unknown',
    ]),
  );
  writeFileSync(path.join(to, 'THIRD-PARTY-NOTICES.md'), notices(metadata));
  return made;
}

/** Gets the crate that is patched, and learns by what address cargo knows its registry. */
function fetchUpstream(cargo, folder, { version, checksum }) {
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  writeFileSync(path.join(folder, 'src', 'lib.rs'), '');
  writeFileSync(
    path.join(folder, 'Cargo.toml'),
    `[package]\nname = "upstream"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n${crate} = "=${version}"\n`,
  );
  const metadata = JSON.parse(
    cargo(folder, ['metadata', '--format-version', '1', '--filter-platform', 'wasm32-unknown-unknown']),
  );
  const found = metadata.packages.find(({ name }) => name === crate);
  const entry = readFileSync(path.join(folder, 'Cargo.lock'), 'utf8')
    .split('[[package]]')
    .find((part) => part.includes(`name = "${crate}"`));
  if (!entry.includes(`checksum = "${checksum}"`)) throw new Error(`${crate} ${version} is not what it was.`);
  return { folder: path.dirname(found.manifest_path), registry: found.source };
}

/** Packages of a registry have a checksum, and in the lock file of cargo the address of the registry before it. */
function withSources(lock, registry) {
  return lock.replaceAll(/^checksum = /gm, `source = "${registry}"\nchecksum = `);
}

function withoutSources(lock) {
  return lock.replaceAll(/^source = .*\n/gm, '');
}

/** Names, licences and their texts of all crates; texts that are equal stand there once. */
function notices({ packages }) {
  const byText = new Map();
  for (const { name, version, license, manifest_path } of packages) {
    if (name === 'quire-calculation') continue;
    const folder = path.dirname(manifest_path);
    const files = readdirSync(folder).filter((file) =>
      /^(LICEN[CS]E|COPYING|UNLICENSE|NOTICE|THIRD-PARTY)/i.test(file),
    );
    // Of licences to choose from, MIT where it is one.
    const chosen = files.some((file) => /MIT/i.test(file))
      ? files.filter((file) => !/APACHE|UNLICENSE/i.test(file))
      : files;
    const text = chosen
      .sort()
      .map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
      .join('\n\n');
    const of = byText.get(text) ?? [];
    byText.set(text, of);
    of.push(`${name} ${version} (${license})`);
  }
  const head = [
    '# Third-party notices',
    '',
    'What `calculation.wasm` is made of besides the sources beside this file, and what it is built with. Written by',
    '`scripts/build-calculation.mjs`. The standard library of Rust is under MIT or Apache-2.0 too; where a crate gives no text of',
    'its own, the text of the licence stands elsewhere in this file.',
  ];
  const parts = [...byText].map(
    ([text, of]) => `## ${of.sort().join(', ')}\n\n${text === '' ? '' : `~~~text\n${text}\n~~~\n`}`,
  );
  return `${head.join('\n')}\n\n${parts.sort().join('\n')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { to: { type: 'string' }, in: { type: 'string' } } });
  const tools = findTools();
  if (tools === undefined) {
    console.error(
      'The engine needs rustc, cargo, the sources of the standard library and wasm-ld (see the head of this script).',
    );
    process.exitCode = 1;
  } else {
    const made = buildCalculation(tools, {
      ...(values.to && { to: path.resolve(values.to) }),
      ...(values.in && { work: path.resolve(values.in) }),
    });
    console.log(JSON.stringify(made, null, 2));
  }
}
