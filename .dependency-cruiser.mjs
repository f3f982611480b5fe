// Who may import whom, for dependency-cruiser; `npm run lint` checks it. Imports of types count like all others.

/** What both sides stand on. */
const shared = [
  'platform/quire-error.ts',
  'client/protocol',
  'model/xml-text.ts',
  'model/delimiters.ts',
  'model/cell-address.ts',
  'model/log',
  'model/kinds.ts',
  'model/word',
  'model/calculation',
  'model/cell',
  'model/change-work.ts',
];

/**
 * The layers, from the bottom up: each may import those before it. A file belongs to the longest name that its path begins
 * with, so a folder is without those in it that are named themselves.
 */
const sides = [
  [
    ...shared,
    'client',
    'client/replica',
    'client/word',
    'client/cell',
    ...['editor/strings', 'editor/theme', 'editor/kit', 'editor/page', 'editor/frame', 'editor/api'],
    ...['editor/shell', 'editor/word', 'editor/cell', 'editor/viewer', 'editor'],
  ],
  [
    ...shared,
    ...['platform/config', 'platform/ports', 'platform', 'load', 'db', 'jobs'],
    ...[
      'converter/errors.ts',
      'converter/engines/kind-engine.ts',
      'converter/engines/running-task.ts',
      'converter/engines/ooxml/package',
      'converter/engines/ooxml/docx',
      'converter/engines/ooxml/xlsx',
      'converter',
    ],
    ...['services/http', 'services/processes'],
    ...['services/coauthoring/document', 'services/coauthoring/gateway', 'services/lifecycle'],
    ...['services/coauthoring', 'services/integration', 'services/wopi', 'services/admin'],
    ...['services/workers', 'services/composition', 'services/doctor', 'services/commands', 'services'],
  ],
];

/** What a page shares with the server's side of it: types, and for reports of load tests how values are written. */
const typesAcross = '^(services/admin/(api|admin-error)\\.ts$|example/|load/report/figures\\.ts$)';

/** What lies below a layer and yet is not for it, and why. */
const notFor = {
  // These know no kind of document.
  client: ['model/word', 'model/cell'],
  'client/replica': ['model/word', 'model/cell'],
  'editor/shell': ['model/word', 'model/cell', 'client/word', 'client/cell'],
  platform: ['model/word', 'model/cell'],
  db: ['model/word', 'model/cell'],
  jobs: ['model/word', 'model/cell'],
  'services/coauthoring/document': ['model/word', 'model/cell', 'db', 'jobs', 'converter'],
  'services/coauthoring/gateway': ['model/word', 'model/cell', 'db', 'jobs', 'converter'],
  'services/lifecycle': ['model/word', 'model/cell'],
  'services/coauthoring': ['model/word', 'model/cell'],
  // Kinds do not know each other.
  'model/cell': ['model/word'],
  'client/cell': ['model/word', 'client/word'],
  'converter/engines/ooxml/docx': ['model/cell'],
  'editor/word': ['model/cell', 'client/cell'],
  'editor/cell': ['model/word', 'client/word', 'editor/word'],
  'editor/viewer': [
    ...['model/word', 'model/cell', 'client/word', 'client/cell', 'editor/word', 'editor/cell'],
  ],
  'converter/engines/ooxml/xlsx': ['model/word', 'converter/engines/ooxml/docx'],
};

const names = [...new Set(sides.flat())];
const isTest = '\\.(?:test|trial)\\.tsx?$|/testing/';

/** Matches the files of a layer. */
function filesOf(name) {
  const escaped = (text) => text.replaceAll('.', '\\.');
  if (name.endsWith('.ts')) return `^${escaped(name)}$`;
  const inside = names
    .filter((other) => other.startsWith(`${name}/`))
    .map((other) => escaped(other.slice(name.length + 1)));
  return `^${name}(\\.ts$|/${inside.length > 0 ? `(?!(${inside.join('|')})(/|$|\\.ts$))` : ''})`;
}

const layerRules = names.map((name) => {
  const below = new Set(sides.flatMap((side) => side.slice(0, side.indexOf(name) + 1)));
  for (const other of notFor[name] ?? []) below.delete(other);
  const others = names.filter((other) => !below.has(other));
  return {
    name: `imports-of-${name.replaceAll('/', '-').replace('.ts', '')}`,
    severity: 'error',
    from: { path: filesOf(name), pathNot: isTest },
    to: { path: [...others.map(filesOf), '^(bench|demo|scripts|test)/'], pathNot: typesAcross },
  };
});

const packageRules = [
  {
    name: 'package-in-package-json',
    comment: 'What happens to lie in node_modules is gone after the next installation.',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-missing-module',
    severity: 'error',
    from: {},
    // The set-up imports what it has built.
    to: { couldNotResolve: true, pathNot: '^\\.\\./dist/' },
  },
];

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    ...packageRules,
    ...layerRules,
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
