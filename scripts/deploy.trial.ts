import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type DeclaredMetric, declaredMetrics } from '../services/metrics-reference.ts';
import { filesIn, known, root, textOf } from './shipped-files.ts';

interface Service {
  image: string;
  build?: { target: string };
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
}

const composeOf = (file: string) =>
  parse(textOf(file), { merge: true }) as { services: Record<string, Service>; volumes: object };
const composeFiles = ['docker-compose.yml', 'docker-compose.monitoring.yml'];
const ownImages = new Set(['quire', 'quire-converter']);

test('[DK1] what compose sets for servers and converters are settings, and each file it mounts exists', () => {
  const services = composeFiles.flatMap((file) => Object.values(composeOf(file).services));
  const own = services.filter(({ image }) => ownImages.has(image));
  expect(own.length).toBeGreaterThanOrEqual(3);
  for (const { environment = {} } of own) {
    for (const name of Object.keys(environment)) expect(known, name).toContain(name);
    expect(environment).toMatchObject({ DATABASE_URL: expect.any(String), REDIS_URL: expect.any(String) });
  }
  for (const mount of services.flatMap(({ volumes = [] }) => volumes)) {
    const [from = ''] = mount.split(':');
    if (from.startsWith('.')) expect(existsSync(path.join(root, from)), from).toBe(true);
  }
  // Only the proxy is reached from other machines.
  const published = services.flatMap(({ ports = [] }) => ports);
  expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([
    expect.stringMatching(/^.{2}HTTP_PORT:-8080.:8080$/),
  ]);
});

test('[DK2] compose has no default secret: each comes from the environment file, which is made with fresh ones', () => {
  const made = () => {
    const lines = execFileSync('sh', [path.join(root, 'deploy/make-env.sh')], { encoding: 'utf8' }).split(
      '\n',
    );
    return Object.fromEntries(
      lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split('=', 2) as [string, string]),
    );
  };
  const [first, second] = [made(), made()];
  for (const file of composeFiles) {
    for (const [, name = '', rest = ''] of textOf(file).matchAll(/\$\{(\w+)(.*?)\}/g)) {
      expect(first, name).toHaveProperty(name);
      if (!/SECRET|PASSWORD/.test(name)) continue;
      expect(rest, name).toMatch(/^:\?/);
      expect(first[name]).toMatch(/^[0-9a-f]{64}$/);
      expect(first[name]).not.toBe(second[name]);
    }
  }
  const secrets = Object.entries(first).filter(([name]) => /SECRET|PASSWORD/.test(name));
  expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
});

test('[DK3] the images copy what exists and reaches the build, run what exists, and not as root', () => {
  const dockerfile = textOf('Dockerfile');
  const reaches = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words = '']) =>
    words.split(' ').slice(0, -1),
  );
  expect(copied).toContain('bin');
  for (const source of copied.filter((one) => one !== '.')) {
    expect(existsSync(path.join(root, source)), source).toBe(true);
    expect(
      reaches.some((one) => source === one || source.startsWith(`${one}/`)),
      source,
    ).toBe(true);
  }
  const { include } = JSON.parse(textOf('tsconfig.build.json')) as { include: string[] };
  for (const folder of [...include, 'editor', 'tsconfig.json']) {
    expect(
      reaches.some((one) => folder === one || folder.startsWith(`${one}/`)),
      folder,
    ).toBe(true);
  }
  // What the pages are made of beside their own folder.
  const outside = ['', 'api/', 'load-report/']
    .map((part) => `editor/${part}vite.config.ts`)
    .flatMap((file) =>
      [...textOf(file).matchAll(/join\(root, '((?:\.\.\/)+[^']+)'\)/g)].map(([, place = '']) =>
        path.join(path.dirname(file), place),
      ),
    );
  expect(outside).toContain('docs/api-compatibility.md');
  for (const file of outside.filter((one) => !one.startsWith('dist/'))) expect(reaches).toContain(file);
  // What tests share may use all of them.
  expect(reaches).toContain('test');
  for (const [, name = ''] of dockerfile.matchAll(/^(?:ENV| {4}) ?(\w+)=/gm)) {
    if (!['NODE_ENV', 'NODE_OPTIONS'].includes(name)) expect(known, name).toContain(name);
  }
  for (const [, script = ''] of dockerfile.matchAll(/"?node"?,? "?(bin\/[\w.]+)"?/g)) {
    expect(existsSync(path.join(root, script)), script).toBe(true);
  }
  const users = [...dockerfile.matchAll(/^USER (.+)$/gm)].map(([, user]) => user);
  expect(users.at(-1)).toBe('10001:10001');
  expect(dockerfile.match(/^HEALTHCHECK /gm)).toHaveLength(2);
});

const ownServices = () =>
  Object.values(composeOf('docker-compose.yml').services).filter(({ image }) => ownImages.has(image));

test('[DK10] the images have each folder that a volume is mounted on, for their user, and quire in the PATH', () => {
  const dockerfile = textOf('Dockerfile').replaceAll('\\\n', ' ');
  const [base = ''] = /^FROM \S+ AS base\n[\s\S]*?(?=^FROM )/m.exec(dockerfile) ?? [];
  const [, owned = ''] = /install -d -o quire -g quire ([/\w ]+)/.exec(base) ?? [];
  const ofChart = [...textOf('deploy/helm/quire/templates/_helpers.tpl').matchAll(/mountPath: (\S+) \}/g)];
  const mounted = [
    ...ownServices().flatMap(({ volumes = [] }) => volumes.map((mount) => mount.split(':')[1]!)),
    ...ofChart.map(([, folder = '']) => folder),
  ];
  expect(new Set(mounted)).toEqual(new Set(['/data', '/data/blobs', '/tmp']));
  for (const folder of mounted.filter((one) => one !== '/tmp')) expect(owned.split(/\s+/)).toContain(folder);
  const [, program = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/quire\b/.exec(base) ?? [];
  expect(program).toBe((JSON.parse(textOf('package.json')) as { bin: { quire: string } }).bin.quire);
  expect(statSync(path.join(root, program)).mode & 0o111).toBe(0o111);
  expect(textOf(program)).toMatch(/^#!\/usr\/bin\/env -S node --v8-pool-size=1\n/);
});

test('[DK11] the commands for Compose in the documentation name services and commands that exist', () => {
  const services = Object.assign({}, ...composeFiles.map((file) => composeOf(file).services)) as object;
  const cli = ['services/cli.ts', ...filesIn('services/commands'), 'services/doctor/command.ts']
    .filter((file) => file.endsWith('.ts'))
    .map(textOf)
    .join('\n');
  const commands = [...cli.matchAll(/(?:\.command|new Command)\('(\w+)/g)].map(([, name]) => name);
  expect(commands).toContain('doctor');
  const files = [
    'README.md',
    'docker-compose.yml',
    ...filesIn('docs').filter((file) => file.endsWith('.md')),
  ];
  let executed = 0;
  for (const text of files.map(textOf)) {
    for (const [line, service = '', program = '', command = ''] of text.matchAll(
      /docker compose exec ([\w-]+) (\S+) (\w+)/g,
    )) {
      executed += 1;
      expect(services, line).toHaveProperty(service);
      expect(program, line).toBe('quire');
      expect(commands, line).toContain(command);
    }
    for (const [line, service = ''] of text.matchAll(/docker compose .*--scale ([\w-]+)=/g)) {
      expect(services, line).toHaveProperty(service);
    }
    for (const [, file = ''] of text.matchAll(/docker compose .*-f ([\w.-]+)/g)) {
      expect(existsSync(path.join(root, file)), file).toBe(true);
    }
  }
  expect(executed).toBeGreaterThanOrEqual(2);
});

test('[DK12] the administration of Compose is for this machine only, with a password that is made', () => {
  const servers = ownServices().filter(({ environment }) => environment?.ADMIN_PORT !== undefined);
  expect(servers).toHaveLength(2);
  for (const { environment = {}, ports = [] } of servers) {
    expect(environment).toMatchObject({
      ADMIN_HOST: '0.0.0.0',
      ADMIN_PASSWORD: expect.stringMatching(/^\$\{ADMIN_PASSWORD:\?/),
    });
    expect(ports).toEqual([
      expect.stringMatching(`^127[.]0[.]0[.]1:[$][{]ADMIN_PORT_\\d:-\\d+[}]:${environment.ADMIN_PORT}$`),
    ]);
  }
  const published = servers.flatMap(({ ports = [] }) => ports);
  expect(new Set(published).size).toBe(2);
  const page = /http:\/\/127\.0\.0\.1:(\d+)\/admin\//.exec(textOf('docker-compose.yml'));
  expect(published.some((port) => port.includes(`:-${page?.[1]}}:`))).toBe(true);
});

/** The metrics that an expression names, with the labels it names of each. */
function usedIn(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/\b(quire_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*(?:=~|=|!=)/g)].map(([, label = '']) => label),
  }));
}

const byName = new Map(declaredMetrics().map((metric) => [metric.name, metric]));

function metricOf(series: string): DeclaredMetric | undefined {
  const histogram = byName.get(series.replace(/_(bucket|sum|count)$/, ''));
  return byName.get(series) ?? (/histogram|summary/.test(histogram?.type ?? '') ? histogram : undefined);
}

function expectKnownMetrics(expressions: readonly string[]): void {
  for (const expression of expressions) {
    for (const { name, labels } of usedIn(expression)) {
      const metric = metricOf(name);
      expect(metric, `${name} in ${expression}`).toBeDefined();
      // Prometheus puts `instance` and `job` on what it has scraped.
      const known = [...metric!.labels, 'instance', 'job'];
      for (const label of labels) expect(known, `${label} in ${expression}`).toContain(label);
    }
  }
}

test('[DK4] alerts and dashboards name metrics and labels that exist', () => {
  const { groups } = parse(textOf('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(10);
  expectKnownMetrics(rules.map(({ expr }) => expr));
  const operations = textOf('docs/operations.md');
  for (const { alert } of rules) expect(operations, alert).toContain(`\`${alert}\``);
  const boards = filesIn('deploy/grafana/dashboards').map(
    (file) => JSON.parse(textOf(file)) as { panels: { targets: { expr: string }[] }[] },
  );
  expect(boards).toHaveLength(4);
  for (const { panels } of boards) {
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expectKnownMetrics(expressions);
    for (const expression of expressions) expect(expression).toMatch(/\b(quire|pg)_/);
  }
});

const alertRules = (file: string) =>
  parse(textOf(`deploy/prometheus/${file}`)) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
  };

test('[OB10] each alert is tried with series in which it fires and with series in which it does not', () => {
  const { groups } = parse(textOf('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { alert: string }[] }[];
  };
  const tried = alertRules('alerts.test.yml').tests.flatMap((one) => one.alert_rule_test);
  for (const { alert } of groups.flatMap(({ rules }) => rules)) {
    const its = tried.filter(({ alertname }) => alertname === alert);
    expect(
      its.some(({ exp_alerts }) => exp_alerts.length > 0),
      `${alert} fires`,
    ).toBe(true);
    expect(
      its.some(({ exp_alerts }) => exp_alerts.length === 0),
      `${alert} does not fire`,
    ).toBe(true);
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) console.log('The alerts are not tried: promtool is missing (Debian package prometheus).');

test.skipIf(!hasPromtool)('[OB10] alerts fire and do not fire as their tests say (promtool)', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
    cwd: path.join(root, 'deploy/prometheus'),
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toContain('SUCCESS');
  expect(status, stderr).toBe(0);
});

test('[DK5] Prometheus asks the servers and converters of compose at their ports', () => {
  const { scrape_configs: jobs } = parse(textOf('deploy/prometheus/prometheus.yml')) as {
    scrape_configs: {
      static_configs?: { targets: string[] }[];
      dns_sd_configs?: { names: string[]; port: number }[];
    }[];
  };
  const targets = jobs.flatMap(({ static_configs = [], dns_sd_configs = [] }) => [
    ...static_configs.flatMap((one) => one.targets),
    ...dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
  ]);
  const services = Object.assign({}, ...composeFiles.map((file) => composeOf(file).services)) as Record<
    string,
    Service
  >;
  for (const target of targets) {
    const [name = '', port] = target.split(':');
    const { environment = {}, image } = services[name]!;
    if (ownImages.has(image)) expect(environment.PORT ?? environment.CONVERTER_PORT, target).toBe(port);
  }
  const upstreams = textOf('deploy/nginx/upstreams.conf');
  for (const [, name = '', port] of upstreams.matchAll(/^\s*server ([\w-]+):(\d+)/gm)) {
    expect(services[name]?.environment?.PORT, name).toBe(port);
  }
});

test('[DK9] what is shipped listens for others, and does not start without the address that browsers see', () => {
  for (const name of ['quire-1', 'quire-2']) {
    const { environment = {} } = composeOf('docker-compose.yml').services[name]!;
    expect(environment).toMatchObject({
      HOST: '0.0.0.0',
      PUBLIC_URL: expect.stringMatching(/^\$\{PUBLIC_URL:\?/),
    });
  }
  expect(textOf('Dockerfile')).toMatch(/^ENV HOST=0\.0\.0\.0 /m);
  const script = path.join(root, 'deploy/make-env.sh');
  const made = execFileSync('sh', [script, 'https://docs.example.com'], { encoding: 'utf8' });
  expect(made).toMatch(/^PUBLIC_URL=https:\/\/docs\.example\.com$/m);
  const server = textOf('deploy/helm/quire/templates/server.yaml');
  expect(server).toContain('name: HOST');
  expect(server).toContain('{ name: PUBLIC_URL, value: {{ include "quire.publicUrl" . | quote }} }');
  expect(textOf('deploy/helm/quire/templates/_helpers.tpl')).toMatch(/\{\{ required "publicUrl is needed/);
});
