import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { commitBefore } from '../deploy/try-compose/checkout.mjs';
import { run } from '../deploy/try-compose/docker.mjs';
import { Integrator } from '../deploy/try-compose/integrator.mjs';
import { Monitoring } from '../deploy/try-compose/monitoring.mjs';
import { standIns, withoutStandIn } from '../deploy/try-compose/stand-ins.mjs';
import { until } from '../deploy/try-compose/until.mjs';
import { freePort } from '../test/support/free-port.ts';

const root = path.dirname(import.meta.dirname);
const secret = Buffer.from('a secret of this test alone');

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quire-try-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A server of this process that answers what it is given; resolves with its address. */
async function serve(answer: (pathname: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer(({ url = '/' }, response) => answer(url, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const docx = (text: string) =>
  zipSync({
    'word/document.xml': strToU8(`<w:document><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:document>`),
  });

/** An integrator, and what delivers to it as a server would. */
async function integratorOfOne() {
  let text = '';
  const files = await serve((pathname, response) => {
    if (pathname === '/file') response.end(docx(text));
    else response.writeHead(404).end();
  });
  const integrator = await new Integrator('http://quire', secret).listen('127.0.0.1');
  onTestFinished(() => integrator.close());
  const page = await (await fetch(integrator.pageOf('Ann'))).text();
  const { document, editorConfig } = JSON.parse(/'place', (\{.*\})\);/.exec(page)![1]!) as {
    document: { key: string };
    editorConfig: { callbackUrl: string };
  };
  const deliver = async (its: string, { key = document.key, file = '/file', signedWith = secret } = {}) => {
    text = its;
    const claims = { status: 2, key, url: `${files}${file}` };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(signedWith);
    const answer = await fetch(editorConfig.callbackUrl, {
      method: 'POST',
      body: JSON.stringify({ ...claims, token }),
    });
    return ((await answer.json()) as { error: number }).error;
  };
  return { integrator, deliver, key: document.key };
}

test('[DK16] the integrator of the trial answers while a command runs', async () => {
  const { integrator } = await integratorOfOne();
  const asks = `const answer = await fetch(process.argv[1]); console.log(answer.status);`;
  const told = await run(process.execPath, ['--input-type=module', '-e', asks, integrator.fileAddress]);
  expect(told).toBe('200\n');
  await expect(run(process.execPath, ['-e', 'console.log("why"); process.exit(3)'])).rejects.toThrow(
    /ended with 3: why/,
  );
});

test('[DK17] the trial takes only a file that says what was acknowledged, each word once and in order', async () => {
  const { integrator, deliver, key } = await integratorOfOne();
  integrator.acknowledged.push('one', 'two');
  const first = 'Begun. one two';
  await expect(integrator.stored(0)).rejects.toThrow('version 0 says "Begun."');
  expect(await deliver(first, { signedWith: Buffer.from('another secret') })).toBe(1);
  expect(await deliver(first, { file: '/absent' })).toBe(1);
  await expect(integrator.stored(0)).rejects.toThrow('version 0');
  expect(await deliver(first)).toBe(0);
  await integrator.stored(0);
  // The same callback again, after the next version was begun, replaces nothing.
  expect(await deliver('Begun.')).toBe(0);
  await integrator.stored(0);
  for (const wrong of ['Begun. one', 'Begun. one two two', 'Begun. two one', 'Begun. one two three']) {
    const other = await integratorOfOne();
    other.integrator.acknowledged.push('one', 'two');
    expect(await other.deliver(wrong)).toBe(0);
    await expect(other.integrator.stored(0)).rejects.toThrow(`says "${wrong}"`);
  }
  expect(await (await fetch(integrator.pageOf('Bob'))).text()).not.toContain(`"${key}"`);
});

test('[DK18] the trial upgrades from the last commit with another server', async () => {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const commit = (file: string, text: string) => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
    git('add', '.');
    git('commit', '-q', '-m', file);
    return git('rev-parse', '--short', 'HEAD');
  };
  git('init', '-q');
  const first = commit('services/main.ts', 'one');
  await expect(commitBefore(folder, 'HEAD')).rejects.toThrow('no other server');
  commit('services/main.ts', 'two');
  const other = commit('docs/operations.md', 'text');
  const last = commit('db/change-log.ts', 'three');
  commit('services/main.test.ts', 'test');
  commit('deploy/try-compose.mjs', 'script');
  expect(await commitBefore(folder, 'HEAD')).toBe(other);
  expect(await commitBefore(folder, last)).toBe(other);
  expect(await commitBefore(folder, other)).toBe(first);
});

test('[DK19] each service of Compose with an image of others has a stand-in, or is left out by name', () => {
  const images = ['docker-compose.yml', 'docker-compose.monitoring.yml'].flatMap((file) => {
    const { services } = parse(readFileSync(path.join(root, file), 'utf8'), { merge: true }) as {
      services: Record<string, { build?: unknown }>;
    };
    return Object.entries(services).flatMap(([name, { build }]) => (build ? [] : [name]));
  });
  expect([...standIns, ...Object.keys(withoutStandIn)].sort()).toEqual(images.sort());
  const dockerfile = readFileSync(path.join(root, 'deploy/try-compose/Dockerfile.stand-ins'), 'utf8');
  const stages = [...dockerfile.matchAll(/^FROM quire-try\/debian AS (\S+)$/gm)].map(([, stage]) => stage);
  expect(stages.sort()).toEqual(['node', ...standIns].sort());
});

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;
if (!hasPrometheus)
  console.log('The monitoring of the trial is not tried: prometheus is missing (Debian package prometheus).');

test.skipIf(!hasPrometheus)(
  '[DK20] the trial notices silent targets, rules that are missing, and alerts that fire (prometheus)',
  async () => {
    let isReady = 1;
    const target = await serve((_, response) => response.end(`quire_ready ${isReady}\n`));
    const folder = temporaryFolder();
    const rules = { alert: 'NotReady', expr: 'quire_ready == 0' };
    const files = {
      'alerts.yml': { groups: [{ name: 'quire', rules: [rules] }] },
      'prometheus.yml': {
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: ['alerts.yml'],
        scrape_configs: [
          { job_name: 'quire', static_configs: [{ targets: [new URL(target).host] }] },
          { job_name: 'silent', static_configs: [{ targets: [`127.0.0.1:${await freePort()}`] }] },
        ],
      },
    };
    for (const [file, content] of Object.entries(files))
      writeFileSync(path.join(folder, file), JSON.stringify(content));
    const address = `127.0.0.1:${await freePort()}`;
    const prometheus = spawn(
      'prometheus',
      [`--config.file=prometheus.yml`, `--storage.tsdb.path=data`, `--web.listen-address=${address}`],
      { cwd: folder, stdio: 'ignore' },
    );
    onTestFinished(async () => {
      const ended = once(prometheus, 'exit');
      prometheus.kill('SIGKILL');
      await ended;
    });
    const monitoring = new Monitoring(`http://${address}`);
    await until('Prometheus', () => {
      if (prometheus.exitCode !== null) throw new Error(`it ended with ${prometheus.exitCode}`);
      return fetch(`http://${address}/-/ready`).then(({ ok }) => ok);
    });
    await monitoring.evaluates(['NotReady'], 20_000);
    await expect(monitoring.evaluates(['NotReady', 'Other'], 0)).rejects.toThrow('Other not evaluated');
    const said = () => monitoring.scrapes({ quire: 1 }, 0).catch(({ message }: Error) => message);
    await until('the silent target', async () => /127\.0\.0\.1:\d+\/metrics: .*refused/.test(await said()));
    await until('the metric', async () => (await monitoring.metricsMissing(['quire_ready'])).length === 0);
    expect(await monitoring.metricsMissing(['sum(rate(quire_absent{a=~"$a"}[$__rate_interval]))'])).toEqual([
      'quire_absent',
    ]);
    await expect(monitoring.metricsMissing(['sum('])).rejects.toThrow(/parse error/);
    await monitoring.fires([]);
    expect(await monitoring.haveFired()).toEqual([]);
    isReady = 0;
    await monitoring.fires(['NotReady']);
    await expect(monitoring.fires([], 0)).rejects.toThrow('NotReady fires');
    expect(await monitoring.haveFired()).toEqual(['NotReady']);
  },
  5 * 60_000, // longer than any of what is waited for, which says why it has not come
);
