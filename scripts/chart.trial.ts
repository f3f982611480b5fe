import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { goProgramFolder } from './setup/go-programs.mjs';
import { pythonProgramFolder } from './setup/python-programs.mjs';
import { filesIn, known, root, textOf } from './shipped-files.ts';

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
  expect(paths.size).toBe(4);
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

test('[OP23] the ingress asks every node for a file of a page, as the nginx that is shipped', () => {
  const [, ofNginx = '', asked = ''] =
    /location ~ (\S*web-apps\S*) \{[^}]*proxy_next_upstream ([^;]*http_404);\n\s*proxy_next_upstream_tries 0;/.exec(
      textOf('deploy/nginx/nginx.conf'),
    ) ?? [];
  const template = textOf('deploy/helm/quire/templates/ingress.yaml');
  const [, ofIngress = ''] = /^ {2}"pages" "(\S+)"$/m.exec(template) ?? [];
  for (const address of ['/web-apps/apps/quire/assets/a.js', '/9.3.0-1/web-apps/apps/quire/assets/a.js']) {
    expect(address).toMatch(new RegExp(ofNginx));
    expect(address).toMatch(new RegExp(`^${ofIngress}$`));
  }
  const [, annotations = ''] = /if eq \$name "pages" \}\}([\s\S]*?)\{\{- end/.exec(template) ?? [];
  expect(annotations).toContain(`proxy-next-upstream: ${asked}\n`);
  expect(annotations).toContain("proxy-next-upstream-tries: '0'\n");
});

const programs = [
  ...(process.env.PATH ?? '').split(path.delimiter),
  ...[goProgramFolder(), pythonProgramFolder],
];
const programOf = (name: string) => {
  const found = programs.map((directory) => path.join(directory, name)).find((file) => existsSync(file));
  if (!found)
    console.log(`The chart is not tried with ${name}: it is missing (\`npm run trials\` says why).`);
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
