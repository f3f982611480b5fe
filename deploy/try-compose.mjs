// Tries docker-compose.yml and docker-compose.monitoring.yml as the documentation says it: builds both images, starts everything,
// opens a document in a browser, upgrades from an earlier commit, kills servers, stops, kills and removes everything and starts it
// with its volumes. Two people type meanwhile, and the file that the integrator gets is compared with what was acknowledged.
// Ends with code 1 when a step failed; says what was replaced, and what was skipped.
//
//   node deploy/try-compose.mjs [--from <commit>] [--to <commit, HEAD>] [--no-office] [--work <folder>] [--keep]
//
// It needs the npm packages of this checkout (`npm ci`). `--from` is the last commit with another server unless it is given;
// `--from none` leaves the upgrade out, `--no-office` builds the converter without LibreOffice, `--keep` keeps the folder with images
// for the next time. A machine without a Docker daemon, Compose, Chromium or a registry of images needs root and Debian, and Go for
// Compose: deploy/try-compose/ makes what is missing.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { checkout, commitBefore, commitOf } from './try-compose/checkout.mjs';
import { prepareDocker, run } from './try-compose/docker.mjs';
import { Integrator } from './try-compose/integrator.mjs';
import { Monitoring } from './try-compose/monitoring.mjs';
import { openDocument } from './try-compose/people.mjs';
import { buildStandIns, reachesRegistry, withoutStandIn } from './try-compose/stand-ins.mjs';
import { until } from './try-compose/until.mjs';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    from: { type: 'string' },
    to: { type: 'string', default: 'HEAD' },
    'no-office': { type: 'boolean', default: false },
    work: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
if (values.help) {
  const [head] = /^(\/\/.*\n)+/.exec(readFileSync(import.meta.filename, 'utf8'));
  console.log(head.replaceAll(/^\/\/ ?/gm, '').trim());
  process.exit();
}
const root = path.dirname(import.meta.dirname);
const work = path.resolve(values.work ?? mkdtempSync(path.join(os.tmpdir(), 'quire-try-')));
mkdirSync(work, { recursive: true });
const to = await commitOf(root, values.to);
const from =
  values.from === 'none'
    ? undefined
    : await (values.from ? commitOf(root, values.from) : commitBefore(root, to));
const replaced = [];
const note = (text) => {
  replaced.push(text);
  console.log(`  in place of what this machine lacks: ${text}`);
};
const skipped = [];
if (from === undefined) skipped.push('the upgrade from an earlier commit (--from none)');
if (values['no-office']) skipped.push('LibreOffice in the converter (--no-office)');
skipped.push('TLS in front of nginx');

const rows = [];
let failed = false;
/** One step of the trial. After a failure the rest is not tried. */
async function step(name, does) {
  if (failed) {
    skipped.push(name);
    return;
  }
  const beganAt = Date.now();
  const took = () => `${((Date.now() - beganAt) / 1_000).toFixed(1).padStart(6)} s`;
  try {
    const result = await does();
    rows.push(`ok      ${took()}  ${name}`);
    console.log(rows.at(-1));
    return result;
  } catch (error) {
    failed = true;
    rows.push(`FAILED  ${took()}  ${name}: ${error.message}`);
    console.log(rows.at(-1));
  }
}

const { env, stop } = await prepareDocker(work, note);
env.COMPOSE_PROJECT_NAME = 'quire-try';
const docker = async (...args) => (await run('docker', args, { env })).trim();
const [network] = JSON.parse(await docker('network', 'inspect', 'bridge', '-f', '{{json .IPAM.Config}}'));
/** The address of this machine in Docker's network: browsers and containers reach it both. */
const gateway = network.Gateway ?? network.Subnet.replace(/\.0\/\d+$/, '.1');
const quire = `http://${gateway}:18080`;
/** Ports that nothing else on this machine is likely to have; for `quire` as well. */
const ports = { HTTP_PORT: '18080', ADMIN_PORT_1: '18001', ADMIN_PORT_2: '18002' };
const monitoringPort = '19090';
note(`ports: ${Object.values(ports).join(', ')} in the environment file; Prometheus at ${monitoringPort}`);

const folder = path.join(work, 'tree');
const composeFiles = ['docker-compose.yml', 'override.yml'];
/** A command of the documentation, as it stands there. */
const shell = (command) =>
  run('sh', ['-c', command], { cwd: folder, env: { ...env, COMPOSE_FILE: composeFiles.join(':') } });
const environment = () => readFileSync(path.join(folder, '.env'), 'utf8');
const secretOf = (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(environment())[1];
const healthy = () =>
  until('healthy containers', async () => {
    const listed = (await shell('docker compose ps -a --format json')).trim();
    const wrong = listed
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ State, Health }) => State !== 'running' || (Health && Health !== 'healthy'));
    if (wrong.length > 0)
      throw new Error(wrong.map(({ Service, Status }) => `${Service} ${Status}`).join(', '));
    return true;
  });
const containerOf = async (service) => (await shell(`docker compose ps -q ${service}`)).trim();

/** Makes one server anew, as the documentation upgrades it. */
async function upgrade(server) {
  const before = await containerOf(server);
  await shell(`docker compose up -d --no-deps --wait ${server}`);
  await shell('docker compose exec -T nginx nginx -s reload');
  if ((await containerOf(server)) === before) throw new Error(`${server} is the container of before`);
}

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

/** A conversion that only the office suite of the converter's image can do. */
async function convertToPdf(integrator) {
  const order = { filetype: 'docx', outputtype: 'pdf', key: `pdf-${to}`, url: integrator.fileAddress };
  const answer = await fetch(`${quire}/converter`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...order, token: await integrator.sign(order) }),
  });
  const { fileUrl, error } = await answer.json();
  if (!fileUrl) throw new Error(`the conversion ended with ${error}`);
  const file = await (await fetch(fileUrl)).text();
  if (!file.startsWith('%PDF-')) throw new Error(`it begins with ${file.slice(0, 20)}`);
}

const monitoring = new Monitoring(`http://127.0.0.1:${monitoringPort}`);
const tree = (file) => readFileSync(path.join(folder, file), 'utf8');

async function tryMonitoring() {
  composeFiles.push('docker-compose.monitoring.yml', 'override-monitoring.yml');
  await shell('docker compose up -d');
  await healthy();
  await monitoring.scrapes({ quire: 2, 'quire-converter': 1, postgres: 1 });
  const rules = parse(tree('deploy/prometheus/alerts.yml')).groups.flatMap((group) => group.rules);
  await monitoring.evaluates(rules.map(({ alert }) => alert));
  const boards = readdirSync(path.join(folder, 'deploy/grafana/dashboards')).map((name) =>
    JSON.parse(tree(`deploy/grafana/dashboards/${name}`)),
  );
  const expressions = boards.flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  );
  const missing = await monitoring.metricsMissing([...expressions, ...rules.map(({ expr }) => expr)]);
  if (missing.length > 0) throw new Error(`no target has ${missing.join(', ')}`);
  rows.push(`        ${rules.length} alerts, ${expressions.length} expressions of ${boards.length} boards`);
  await monitoring.fires([]);
}

let integrator;
let people;
async function cleanUp() {
  await people?.leave();
  integrator?.close();
  await shell('docker compose down -v').catch((error) => console.log(error.message));
  await stop();
  if (!values.keep && values.work === undefined) rmSync(work, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => cleanUp().finally(() => process.exit(1)));

try {
  const override = await step('images of PostgreSQL, Redis, nginx, Node and Prometheus', async () => {
    const standIns = (await reachesRegistry(env)) ? {} : await buildStandIns(work, env, note);
    for (const service of standIns.leftOut ?? []) skipped.push(`${service}: ${withoutStandIn[service]}`);
    const buildArguments = {
      ...standIns.buildArguments,
      ...(values['no-office'] && { OFFICE_PACKAGES: '' }),
    };
    return { ...standIns, buildArguments, ports, monitoringPort: `127.0.0.1:${monitoringPort}:9090` };
  });
  await step(`docker compose up -d --build (${from ?? to})`, async () => {
    await checkout({ root, commit: from ?? to, folder, address: quire, override });
    await shell('docker compose up -d --build');
    await healthy();
  });
  await step('two people open a document in a browser; what one types the other sees', async () => {
    integrator = await new Integrator(quire, Buffer.from(secretOf('JWT_SECRET'))).listen(gateway);
    people = await openDocument(integrator);
    await people.type('opened');
    await people.type('answered');
  });
  if (from !== undefined) {
    await step(`upgrade to ${to} under them, one server after the other`, async () => {
      await checkout({ root, commit: to, folder, address: quire, environment: environment(), override });
      await shell('docker compose build');
      for (const server of ['quire-1', 'quire-2']) {
        await upgrade(server);
        await people.type(`upgraded-${server}`);
      }
      const converter = await containerOf('converter');
      await shell('docker compose up -d');
      await healthy();
      if ((await containerOf('converter')) === converter) throw new Error('the converter is that of before');
      await people.type('upgraded');
    });
  }
  await step('docker compose exec quire-1 quire doctor', async () => {
    const report = await shell('docker compose exec -T quire-1 quire doctor || true');
    console.log(report.replace(/^/gm, '    '));
    if (/^\s*FAIL/im.test(report) || !/ 0 failed/.test(report)) throw new Error('a check has failed');
  });
  await step('docker compose exec quire-1 quire secret', async () => {
    const told = (await shell('docker compose exec -T quire-1 quire secret')).trim();
    if (told !== secretOf('JWT_SECRET')) throw new Error('it is not JWT_SECRET of .env');
  });
  await step('the administration answers on this machine, and nginx refuses it to others', tryAdministration);
  if (!values['no-office']) {
    await step('LibreOffice in the converter makes a PDF', () => convertToPdf(integrator));
  }
  await step('docker compose -f … -f docker-compose.monitoring.yml up -d: no alert fires', tryMonitoring);
  await step('quire-1 is killed: people go on, and QuireDown fires', async () => {
    await shell('docker compose kill quire-1');
    await people.type('without-quire-1');
    await monitoring.fires(['QuireDown']);
  });
  await step('quire-1 is started again, and the alert ends', async () => {
    await shell('docker compose up -d');
    await healthy();
    await people.type('with-quire-1');
    await monitoring.fires([]);
  });
  await step('quire-2 is killed: people go on; it is started again', async () => {
    await shell('docker compose kill quire-2');
    await people.type('without-quire-2');
    await shell('docker compose up -d');
    await healthy();
    await people.type('with-quire-2');
  });
  await step('docker compose up -d --scale converter=2', async () => {
    await shell('docker compose up -d --scale converter=2');
    await healthy();
    await monitoring.scrapes({ quire: 2, 'quire-converter': 2, postgres: 1 });
  });
  await step('no other alert has fired in all this time', async () => {
    const fired = await monitoring.haveFired();
    if (fired.join() !== 'QuireDown') throw new Error(`${fired.join(', ')} fired`);
  });
  await step('both leave: the integrator has a file that says what was acknowledged', async () => {
    await people.leave();
    await integrator.stored();
  });
  // While everything is down nobody can come back, so the document is closed after the start, and its file delivered.
  const interrupted = async (word, ...commands) => {
    people = await openDocument(integrator);
    await people.type(word);
    const [down, ...up] = commands;
    await shell(down);
    await people.leave();
    for (const command of up) await shell(command);
    await healthy();
    await integrator.stored();
  };
  await step('everything is stopped and started with its volumes while a document is open', () =>
    interrupted('stopped', 'docker compose stop', 'docker compose start'),
  );
  await step('everything is killed at once and started', () =>
    interrupted('killed', 'docker compose kill', 'docker compose up -d'),
  );
  await step('containers are removed and made anew with the volumes', () =>
    interrupted('made-anew', 'docker compose down', 'docker compose up -d'),
  );
  await step(
    'the document is opened again with every word, in the browser and in the stored file',
    async () => {
      people = await openDocument(integrator);
      await people.type('end');
      await people.leave();
      await integrator.stored();
      rows.push(`        ${integrator.acknowledged.length} words: ${integrator.acknowledged.join(' ')}`);
    },
  );
  await step('sizes of the images', async () => {
    for (const image of ['quire', 'quire-converter']) {
      const bytes = Number(await docker('image', 'inspect', '-f', '{{.Size}}', image));
      rows.push(`        ${image}: ${Math.round(bytes / 1e6)} MB`);
    }
  });
  if (failed) {
    const told = await shell('docker compose ps -a; docker compose logs --no-color --tail 60').catch(String);
    console.log(told.slice(-60_000));
  }
} finally {
  await cleanUp();
}

console.log(`\n${rows.join('\n')}`);
if (replaced.length > 0) console.log(`\nReplaced:\n${replaced.map((text) => `- ${text}`).join('\n')}`);
console.log(`\nSkipped:\n${skipped.map((text) => `- ${text}`).join('\n')}`);
process.exitCode = failed ? 1 : 0;
