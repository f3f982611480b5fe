import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { run } from './docker.mjs';

/** Folders whose content is in the image of a server: where they differ, containers are made anew. */
const inTheImage = ['db', 'platform', 'services'];

/** Which commit a name means now: the repository may go on meanwhile. */
export const commitOf = async (root, name) =>
  (await run('git', ['rev-parse', '--short', `${name}^{commit}`], { cwd: root })).trim();

/**
 * The last commit before another one whose server differs from its server: containers of one are made anew for the other.
 *
 * @throws Error when there is none
 */
export async function commitBefore(root, commit) {
  const ancestors = await run('git', ['rev-list', '--first-parent', commit], { cwd: root });
  for (const ancestor of ancestors.trim().split('\n')) {
    const changed = await run('git', ['diff', '--name-only', ancestor, commit, '--', ...inTheImage], {
      cwd: root,
    });
    // Tests do not reach the image.
    if (changed.split('\n').some((file) => file !== '' && !/\.test\.tsx?$/.test(file)))
      return commitOf(root, ancestor);
  }
  throw new Error(`Before ${commit} there is no other server.`);
}

/**
 * Puts the files of a commit into a folder, with the overrides for Compose (`override.yml`, `override-monitoring.yml`) and an
 * environment file.
 *
 * @param folder the same for each commit: containers whose files have not changed are not made anew by an upgrade
 * @param environment lines that are kept of the environment file of a commit before; what the commit needs beyond them is added
 * @param override images by service, arguments of builds, services that are left out, and ports on this machine by variable
 */
export async function checkout({ root, commit, folder, address, environment = '', override }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await run('git', ['archive', '-o', archive, commit], { cwd: root });
  await run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  const { images = {}, buildArguments = {}, leftOut = [], ports, monitoringPort } = override;
  const image = (services) =>
    services.filter((service) => images[service]).map((service) => [service, { image: images[service] }]);
  const own = ['quire-1', 'quire-2', 'converter'].map((service) => [
    service,
    { build: { args: buildArguments } },
  ]);
  const prometheus = { ...Object.fromEntries(image(['prometheus'])).prometheus, ports: [monitoringPort] };
  const overrides = {
    'override.yml': { ...Object.fromEntries([...image(['postgres', 'redis', 'nginx']), ...own]) },
    'override-monitoring.yml': {
      ...Object.fromEntries(image(['postgres-exporter'])),
      prometheus,
      // A profile that nobody asks for: the service is not started.
      ...Object.fromEntries(leftOut.map((service) => [service, { profiles: ['left-out'] }])),
    },
  };
  for (const [file, services] of Object.entries(overrides))
    writeFileSync(path.join(folder, file), stringify({ services }));
  const made = (await run('sh', ['deploy/make-env.sh', address], { cwd: folder })).replace(
    /^(\w+)=\d+$/gm,
    (line, name) => (name in ports ? `${name}=${ports[name]}` : line),
  );
  const known = new Set(environment.split('\n').map((line) => line.split('=')[0]));
  const added = made.split('\n').filter((line) => /^\w+=/.test(line) && !known.has(line.split('=')[0]));
  writeFileSync(path.join(folder, '.env'), `${environment}${added.join('\n')}\n`);
}
