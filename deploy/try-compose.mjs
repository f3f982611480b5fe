// Tries docker-compose.yml as the documentation says it: builds both images, starts everything, opens a document in a browser,
// kills a server, stops and starts everything with its volumes, and upgrades from an earlier commit, while two people have the
// document open. Ends with code 1 when a step failed; says what was replaced, and what was skipped.
//
//   node deploy/try-compose.mjs [--from <commit, HEAD~1>] [--to <commit, HEAD>] [--no-office] [--work <folder>] [--keep]
//
// It needs the npm packages of this checkout (`npm ci`) and Chromium. `--from none` leaves the upgrade out, `--no-office` builds
// the converter without LibreOffice, `--keep` keeps the folder with images for the next time. A machine without a Docker daemon, Compose or a
// registry of images needs root and Debian: deploy/try-compose/ makes what is missing.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { prepareDocker, run } from './try-compose/docker.mjs';
import { openDocument, until } from './try-compose/people.mjs';
import { buildStandIns, reachesRegistry } from './try-compose/stand-ins.mjs';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'HEAD~1' },
    to: { type: 'string', default: 'HEAD' },
    'no-office': { type: 'boolean', default: false },
    work: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const root = path.dirname(import.meta.dirname);
const work = path.resolve(values.work ?? mkdtempSync(path.join(os.tmpdir(), 'quire-try-')));
mkdirSync(work, { recursive: true });
/** Which commit a name means now: the checkout may go on meanwhile. */
const commitOf = (name) => run('git', ['rev-parse', '--short', `${name}^{commit}`], { cwd: root }).trim();
const to = commitOf(values.to);
const from = values.from === 'none' ? undefined : commitOf(values.from);
const replaced = [];
const note = (text) => {
  replaced.push(text);
  console.log(`  in place of what this machine lacks: ${text}`);
};
const skipped = [];
if (from === undefined) skipped.push('the upgrade from an earlier commit (--from none)');
if (values['no-office']) skipped.push('LibreOffice in the converter (--no-office)');
skipped.push('docker-compose.monitoring.yml: Prometheus and Grafana', 'TLS in front of nginx');

const rows = [];
let failed = false;
/** One step of the trial. After a failure the rest is not tried. */
async function step(name, does) {
  if (failed) {
    skipped.push(name);
    return;
  }
  const beganAt = Date.now();
  try {
    const result = await does();
    rows.push(`ok      ${((Date.now() - beganAt) / 1_000).toFixed(1).padStart(6)} s  ${name}`);
    console.log(rows.at(-1));
    return result;
  } catch (error) {
    failed = true;
    rows.push(
      `FAILED  ${((Date.now() - beganAt) / 1_000).toFixed(1).padStart(6)} s  ${name}: ${error.message}`,
    );
    console.log(rows.at(-1));
  }
}

const { env, stop } = await prepareDocker(work, note);
env.COMPOSE_PROJECT_NAME = 'quire-try';
const docker = (...args) => run('docker', args, { env }).trim();
const [network] = JSON.parse(docker('network', 'inspect', 'bridge', '-f', '{{json .IPAM.Config}}'));
/** The address of this machine in Docker's network: browsers and containers reach it both. */
const gateway = network.Gateway ?? network.Subnet.replace(/\.0\/\d+$/, '.1');
const quire = `http://${gateway}:18080`;
/** Ports that nothing else on this machine is likely to have; for `quire` as well. */
const ports = { HTTP_PORT: '18080', ADMIN_PORT_1: '18001', ADMIN_PORT_2: '18002' };
note(`ports: ${Object.values(ports).join(', ')} in the environment file`);

/** The folder of a commit, with the override for Compose and the environment file of the commit before it. */
function checkout(commit, { images = {}, buildArguments = {} }, environment = '') {
  // In one place: containers whose files have not changed are not made anew by an upgrade.
  const folder = path.join(work, 'tree');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const archive = path.join(work, 'tree.tar');
  run('git', ['archive', '-o', archive, commit], { cwd: root });
  run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  const own = ['quire-1', 'quire-2', 'converter'];
  const args = { ...buildArguments, ...(values['no-office'] && { OFFICE_PACKAGES: '' }) };
  const services = {
    ...Object.fromEntries(Object.entries(images).map(([service, image]) => [service, { image }])),
    ...(Object.keys(args).length > 0 &&
      Object.fromEntries(own.map((service) => [service, { build: { args } }]))),
  };
  writeFileSync(path.join(folder, 'override.yml'), stringify({ services }));
  // What this version wants to have and an older file does not say.
  const made = run('sh', ['deploy/make-env.sh', quire], { cwd: folder }).replace(
    /^(\w+)=\d+$/gm,
    (line, name) => (name in ports ? `${name}=${ports[name]}` : line),
  );
  const known = new Set(environment.split('\n').map((line) => line.split('=')[0]));
  const added = made.split('\n').filter((line) => /^\w+=/.test(line) && !known.has(line.split('=')[0]));
  writeFileSync(path.join(folder, '.env'), `${environment}${added.join('\n')}\n`);
  return folder;
}

let folder;
/** A command of the documentation, as it stands there. */
const shell = (command) =>
  run('sh', ['-c', command], {
    cwd: folder,
    env: { ...env, COMPOSE_FILE: 'docker-compose.yml:override.yml' },
  });
const secretOf = (name) =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(path.join(folder, '.env'), 'utf8'))[1];
const containers = () =>
  shell('docker compose ps -a --format json')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const healthy = () =>
  until('healthy containers', () => {
    const wrong = containers().filter(
      ({ State, Health }) => State !== 'running' || (Health && Health !== 'healthy'),
    );
    if (wrong.length > 0)
      throw new Error(wrong.map(({ Service, Status }) => `${Service} ${Status}`).join(', '));
    return true;
  });

async function tryAdministration() {
  const statusOf = (address, options) => fetch(address, options).then(({ status }) => status);
  for (const port of [ports.ADMIN_PORT_1, ports.ADMIN_PORT_2]) {
    const own = `http://127.0.0.1:${port}/admin`;
    const found = [
      await statusOf(`${own}/`),
      await statusOf(`${own}/api/overview`),
      await statusOf(`${own}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-quire-admin': '1' },
        body: JSON.stringify({ password: secretOf('ADMIN_PASSWORD') }),
      }),
    ];
    if (found[0] !== 200 || found[1] !== 401 || found[2] >= 300)
      throw new Error(`port ${port} answers ${found.join(', ')}`);
    const outside = await statusOf(`http://${gateway}:${port}/admin/`).catch(() => 'refused');
    if (outside !== 'refused') throw new Error(`${gateway}:${port} answers ${outside}`);
  }
  for (const name of ['admin/', 'metrics', 'internal/cluster/ready', 'Metrics']) {
    const status = await statusOf(`${quire}/${name}`);
    if (status !== 403) throw new Error(`nginx answers ${status} at /${name}`);
  }
}

let people;
try {
  const override = await step('images of PostgreSQL, Redis, nginx and Node', async () =>
    reachesRegistry(env) ? {} : buildStandIns(work, env, note),
  );
  const first = from ?? to;
  await step(`docker compose up -d --build (${first})`, () => {
    folder = checkout(first, override);
    shell('docker compose up -d --build');
    return healthy();
  });
  await step('two people open a document in a browser, one types and the other sees it', async () => {
    people = await openDocument({ address: gateway, quire, secret: secretOf('JWT_SECRET') });
    await people.type('opened');
  });
  if (from !== undefined) {
    await step(`upgrade to ${to}, one server after the other`, async () => {
      folder = checkout(to, override, readFileSync(path.join(folder, '.env'), 'utf8'));
      shell('docker compose build');
      for (const server of ['quire-1', 'quire-2']) {
        shell(`docker compose up -d --no-deps --wait ${server}`);
        shell('docker compose exec -T nginx nginx -s reload');
        await people.type(`upgraded-${server}`);
      }
      shell('docker compose up -d');
      await healthy();
    });
  }
  await step('docker compose exec quire-1 quire doctor', () => {
    const report = shell('docker compose exec -T quire-1 quire doctor || true');
    console.log(report.replace(/^/gm, '    '));
    if (/^\s*FAIL/m.test(report)) throw new Error('a check has failed');
  });
  await step('docker compose exec quire-1 quire secret', () => {
    const told = shell('docker compose exec -T quire-1 quire secret').trim();
    if (told !== secretOf('JWT_SECRET')) throw new Error('it is not JWT_SECRET of .env');
  });
  await step('the administration answers on this machine, and nginx refuses it to others', tryAdministration);
  for (const server of ['quire-1', 'quire-2']) {
    await step(`${server} is killed: people go on; it is started again`, async () => {
      shell(`docker compose kill ${server}`);
      await people.type(`without-${server}`);
      shell('docker compose up -d');
      await healthy();
      await people.type(`with-${server}`);
    });
  }
  await step('docker compose up -d --scale converter=2', () => {
    shell('docker compose up -d --scale converter=2');
    return healthy();
  });
  await step('both leave, and the integrator gets the file with every word once', () => people.close());
  const openAnew = async (word) => {
    await people.end();
    people = await openDocument({ address: gateway, quire, secret: secretOf('JWT_SECRET') });
    await people.type(word);
    await people.close();
  };
  // Nobody can come back within the grace time while everything is down: whoever had a document open loads it anew.
  await step('everything is stopped and started with its volumes', async () => {
    shell('docker compose stop');
    shell('docker compose start');
    await healthy();
    await openAnew('started-again');
  });
  await step('containers are removed and made again with their volumes', async () => {
    shell('docker compose down');
    shell('docker compose up -d');
    await healthy();
    await openAnew('made-again');
  });
  await step('sizes of the images', () => {
    for (const image of ['quire', 'quire-converter']) {
      const bytes = Number(docker('image', 'inspect', '-f', '{{.Size}}', image));
      rows.push(`        ${image}: ${Math.round(bytes / 1e6)} MB`);
    }
  });
  if (failed && folder !== undefined) {
    console.log(shell('docker compose ps -a; docker compose logs --no-color --tail 30').slice(-12_000));
  }
} finally {
  await people?.end();
  if (folder !== undefined) shell('docker compose down -v');
  stop();
  if (!values.keep && values.work === undefined) rmSync(work, { recursive: true, force: true });
}

console.log(`\n${rows.join('\n')}`);
if (replaced.length > 0) console.log(`\nReplaced:\n${replaced.map((text) => `- ${text}`).join('\n')}`);
console.log(`\nSkipped:\n${skipped.map((text) => `- ${text}`).join('\n')}`);
process.exitCode = failed ? 1 : 0;
