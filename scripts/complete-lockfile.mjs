// Run after adding or updating a dependency: `node scripts/complete-lockfile.mjs`.
// npm leaves an optional package (the binaries for other platforms, mostly) out of package-lock.json when the registry
// that was asked does not have it, and `npm ci` then refuses that file everywhere. This adds what is left out: the
// exact version its parent asks for, and the platform its name states. Prints what it added.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const lockFile = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'package-lock.json');
const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
const added = [];
for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(place, name)) continue;
    if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
      throw new Error(`${name} ${version} is not one version.`);
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev && { dev }),
      optional: true,
    };
    added.push(`${name} ${version}`);
  }
}
if (added.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`Added to package-lock.json:\n${added.join('\n')}`);
}

/** Looks a package up as Node does: beside its parent, then in each directory above. */
function isLocked(place, name) {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  if (os === undefined || cpu === undefined) return {};
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  const statesLibc = os === 'linux' && words.some((word) => /^(musl|gnu)/.test(word));
  return { cpu: [cpu], ...(statesLibc && { libc: [libc] }), os: [os] };
}
