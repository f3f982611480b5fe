import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { Setting } from '../platform/config/setting.ts';
import { settings } from '../platform/config/settings.ts';
import { type DeclaredMetric, declaredMetrics } from '../services/metrics-reference.ts';
import { goProgramFolder } from './setup/go-programs.mjs';
import { pythonProgramFolder } from './setup/python-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const filesIn = (directory: string) =>
  readdirSync(path.join(root, directory)).map((name) => path.join(directory, name));

/** Variables that Quire reads. */
const known = new Set(
  Object.values(settings as Record<string, Setting<unknown>>).flatMap(({ env, secret }) =>
    secret ? [env, `${env}_FILE`] : [env],
  ),
);

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

const chart = path.join(root, 'deploy/helm/quire');

test('[DK6] the chart sets settings only, and has no default secret', () => {
  const templates = filesIn('deploy/helm/quire/templates').map(textOf).join('\n');
  const named = [...templates.matchAll(/name: ([A-Z][A-Z0-9_]+)\b/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(8);
  for (const name of named) expect(known, name).toContain(name);
  const values = parse(textOf('deploy/helm/quire/values.yaml')) as { secrets: object };
  expect(values.secrets).toEqual({ existing: '', values: {} });
});

test('[DK14] the ingress refuses to the outside what the nginx that is shipped refuses', () => {
  const [, ofNginx = ''] =
    /location ~\* (\S+) \{\s*return 403;/.exec(textOf('deploy/nginx/nginx.conf')) ?? [];
  const template = textOf('deploy/helm/quire/templates/ingress.yaml');
  const paths = new Map(
    [...template.matchAll(/^ {2}"(\w+)" "(\S+)"$/gm)].map(([, name = '', at = '']) => [name, at]),
  );
  expect(paths.size).toBe(3);
  expect(template).toMatch(
    /if eq \$name "operation"[\s\S]*?denylist-source-range: 0\.0\.0\.0\/0,::\/0\n[\s\S]*?end/,
  );
  // The controller takes the longest path that fits from the beginning, as nginx the first.
  const byLength = [...paths].sort(([, a], [, b]) => b.length - a.length);
  const goesTo = (address: string) =>
    byLength.find(([, pattern]) => new RegExp(`^${pattern}`, 'i').test(address))?.[0];
  const refused = new RegExp(ofNginx, 'i');
  const part = fc.constantFrom(
    ...['metrics', 'METRICS', 'info', 'internal', 'admin', 'Admin', 'administration', 'doc', 'web-apps'],
    ...['9.3.0-1', '9.3.0-abc', '9.3.0', 'x', '', 'api', 'ws', 'downloadas', 'healthcheck'],
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const address = `/${parts.join('/')}`;
      expect(goesTo(address) === 'operation', address).toBe(refused.test(address));
    }),
    { numRuns: 2_000 },
  );
  for (const address of [
    '/doc/key/c/',
    '/9.3.0-1/doc/key/c/',
    '/downloadas/key',
    '/9.3.0-1/downloadas/key',
  ]) {
    expect(goesTo(address), address).toBe('editors');
  }
});

const programs = [
  ...(process.env.PATH ?? '').split(path.delimiter),
  ...[goProgramFolder(), pythonProgramFolder],
];
const programOf = (name: string) => {
  const found = programs.map((directory) => path.join(directory, name)).find((file) => existsSync(file));
  if (!found) console.log(`The chart is not tried with ${name}: it is missing (\`npm test\` says why).`);
  return found;
};
const [helm, validator] = [programOf('helm'), programOf('kubernetes-validate')];

const secretsGiven = [
  ...[
    'DATABASE_URL',
    'REDIS_URL',
    'JWT_SECRET',
    'JWT_SESSION_SECRET',
    'SECURE_LINK_SECRET',
    'ADMIN_PASSWORD',
  ],
].flatMap((name) => ['--set', `secrets.values.${name}=x-${name}`]);
/** Values that choose what is off unless chosen. */
const grownValues = [
  ...['--set', 'secrets.existing=mine,files.type=s3,files.s3.bucket=b,converter.keda.enabled=true'],
  ...['--set', 'monitoring.serviceMonitor.enabled=true,serviceAccount.name=quire,ingress.tlsSecret=t'],
];

/** What the chart makes, as text. Fails with what Helm says. */
const rendered = (...more: string[]) =>
  execFileSync(helm!, ['template', 'docs', chart, '--kube-version', '1.31.0', ...more], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { rules?: { http: { paths: { path: string }[] } }[]; replicas?: unknown };
}

const manifestsWith = (...more: string[]) =>
  parseAllDocuments(rendered('--set', 'ingress.host=docs.example.com', ...more)).flatMap(
    (document) => (document.toJS() as Manifest | null) ?? [],
  );

test.skipIf(!helm)('[DK6] the chart makes whole manifests with each of its choices (helm)', () => {
  const kinds = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).sort();
  const plain = kinds(manifestsWith(...secretsGiven));
  expect(plain).toEqual(
    [
      ...[
        'Deployment',
        'Deployment',
        'HorizontalPodAutoscaler',
        'HorizontalPodAutoscaler',
        'Ingress',
        'Ingress',
        'Ingress',
      ],
      ...[
        'NetworkPolicy',
        'NetworkPolicy',
        'PersistentVolumeClaim',
        'PodDisruptionBudget',
        'PodDisruptionBudget',
      ],
      ...['Secret', 'Service', 'Service'],
    ].sort(),
  );
  const grown = kinds(manifestsWith(...grownValues));
  expect(grown).not.toContain('PersistentVolumeClaim');
  expect(grown).not.toContain('Secret');
  expect(grown.filter((kind) => kind === 'HorizontalPodAutoscaler')).toHaveLength(1);
  for (const kind of ['ScaledObject', 'ServiceMonitor', 'ServiceAccount']) expect(grown).toContain(kind);
  expect(() => manifestsWith()).toThrow(/secrets\.values\.DATABASE_URL is needed/);
});

test.skipIf(!helm)('[DK9] the chart is not installed without the address that browsers see (helm)', () => {
  expect(() => rendered(...secretsGiven)).toThrow(/publicUrl is needed|ingress\.host is needed/);
  expect(() => rendered(...secretsGiven, '--set', 'ingress.enabled=false')).toThrow(/publicUrl is needed/);
  const publicUrl = 'publicUrl=https://docs.example.com';
  expect(rendered(...secretsGiven, '--set', `ingress.enabled=false,${publicUrl}`)).toContain(
    '{ name: PUBLIC_URL, value: "https://docs.example.com" }',
  );
});

test.skipIf(!helm)('[DK14] what the chart makes of the ingress is refused for everybody (helm)', () => {
  const ingresses = manifestsWith(...secretsGiven).filter(({ kind }) => kind === 'Ingress');
  const pathOf = ({ spec }: Manifest) => spec.rules![0]!.http.paths[0]!.path;
  const refusing = ingresses.filter(
    ({ metadata }) =>
      metadata.annotations?.['nginx.ingress.kubernetes.io/denylist-source-range'] === '0.0.0.0/0,::/0',
  );
  expect(refusing.map(pathOf)).toEqual([expect.stringContaining('metrics|info|internal|admin')]);
  for (const one of ingresses.filter((other) => !refusing.includes(other)))
    expect(pathOf(one).length).toBeLessThan(pathOf(refusing[0]!).length);
});

/** Checks manifests by the schemas that Kubernetes publishes with a version (pip has the program); throws with what is wrong. */
function validate(manifests: readonly Manifest[], version: string): void {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'quire-chart-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'manifests.yaml');
  // JSON is YAML of every version.
  writeFileSync(file, manifests.map((one) => JSON.stringify(one)).join('\n---\n'));
  const { status, stdout } = spawnSync(validator!, ['--strict', '--kubernetes-version', version, file], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
}

test.skipIf(!helm || !validator)(
  '[DK15] the manifests of the chart are valid by the schemas of Kubernetes (helm, kubernetes-validate)',
  () => {
    const all = [...manifestsWith(...secretsGiven), ...manifestsWith(...grownValues)];
    // Those of KEDA and of the Prometheus operator have schemas of their own.
    const own = all.filter(({ apiVersion }) => !/^(keda\.sh|monitoring\.coreos\.com)\//.test(apiVersion));
    expect(all.length - own.length).toBe(3);
    for (const version of ['1.25', '1.37']) validate(own, version);
    const server = own.find(({ kind }) => kind === 'Deployment')!;
    expect(() => validate([{ ...server, spec: { ...server.spec, replicas: 'two' } }], '1.37')).toThrow(
      /replicas/,
    );
    expect(() => validate([{ ...server, spec: { ...server.spec, ...{ replica: 2 } } }], '1.37')).toThrow(
      /replica/,
    );
  },
);
