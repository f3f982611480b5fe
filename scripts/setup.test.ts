import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { installNpmPackages, whatIsMissing } from './setup/npm-packages.mjs';

const run = promisify(execFile);
const scripts = import.meta.dirname;
const packageRoot = path.dirname(scripts);

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'quire-setup-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  return rm(root, { recursive: true });
});

const writeIn = async (folder: string, file: string, content: unknown) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
};
const write = (file: string, content: unknown) => writeIn(root, file, content);

describe('npm packages', () => {
  const here = { os: [process.platform], cpu: [process.arch], optional: true };
  const elsewhere = { os: ['aix'], cpu: ['ppc64'], optional: true };
  const locked = {
    '': { name: 'quire' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/here': { version: '2.0.0', ...here },
    'node_modules/elsewhere': { version: '2.0.0', ...elsewhere },
  };

  async function install(packages: Record<string, { version: string }>) {
    for (const place of Object.keys(packages)) await write(`${place}/package.json`, {});
    await write('node_modules/.package-lock.json', { packages });
  }

  beforeEach(() => write('package-lock.json', { packages: locked }));

  it('[SU40] a complete installation is left alone, without the packages of other platforms', async () => {
    await install({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/here': { version: '2.0.0' } });
    expect(whatIsMissing(root)).toBeNull();
  });

  it('[SU41] an interrupted or missing installation is noticed', async () => {
    expect(whatIsMissing(root)).toMatch('none are installed');
    await write('node_modules/a/package.json', {});
    expect(whatIsMissing(root)).toMatch('none are installed');
  });

  it('[SU42] another version, an absent platform package and a removed folder are noticed', async () => {
    await install({ 'node_modules/a': { version: '0.9.0' }, 'node_modules/here': { version: '2.0.0' } });
    expect(whatIsMissing(root)).toMatch('a 1.0.0');
    await install({ 'node_modules/a': { version: '1.0.0' } });
    expect(whatIsMissing(root)).toMatch('here 2.0.0');
    await install({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/here': { version: '2.0.0' } });
    await unlink(path.join(root, 'node_modules/a/package.json'));
    expect(whatIsMissing(root)).toMatch('a is gone');
  });

  it('[SU42] packages of another checkout, which a link leads to, stay as they are, and others are installed here', async () => {
    const other = path.join(root, 'other/node_modules');
    await write('other/node_modules/b/package.json', {});
    await symlink(other, path.join(root, 'node_modules'));
    const itself = { name: 'quire', version: '1.0.0', dependencies: { a: 'file:a' } };
    await write('package.json', itself);
    await write('a/package.json', { name: 'a', version: '1.0.0' });
    const packages = {
      '': itself,
      a: { version: '1.0.0' },
      'node_modules/a': { resolved: 'a', link: true },
    };
    await write('package-lock.json', { ...itself, lockfileVersion: 3, requires: true, packages });
    expect(installNpmPackages(root)).toBe(true);
    expect(await readdir(other)).toEqual(['b']);
    expect(whatIsMissing(root)).toBeNull();
  });

  it('[SU42] a link stays where npm cannot be started', async () => {
    const other = path.join(root, 'other/node_modules');
    await write('other/node_modules/b/package.json', {});
    await symlink(other, path.join(root, 'node_modules'));
    vi.stubEnv('PATH', '');
    vi.stubEnv('npm_execpath', '');
    expect(() => installNpmPackages(root)).toThrow('npm could not be started');
    expect(await readlink(path.join(root, 'node_modules'))).toBe(other);
  });
});

describe('the build', () => {
  // Compiling takes a second: all have one folder, and begin with a build, which does nothing where the one before has built.
  let root: string;
  const write = (file: string, content: unknown) => writeIn(root, file, content);
  const build = async () => {
    const script = `import { build } from ${JSON.stringify(path.join(scripts, 'setup', 'build.mjs'))}; build(${JSON.stringify(root)});`;
    return (await run(process.execPath, ['--input-type=module', '-e', script])).stdout;
  };

  beforeAll(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'quire-build-'));
    await symlink(path.join(packageRoot, 'node_modules'), path.join(root, 'node_modules'));
    await write('package.json', { type: 'module' });
    await write('package-lock.json', {});
    await write('tsconfig.json', {
      compilerOptions: { module: 'nodenext', rootDir: '.', outDir: 'dist', types: [] },
    });
    await write('tsconfig.build.json', { extends: './tsconfig.json', include: ['db', 'absent'] });
    await write('db/one.ts', 'export const one: number = 1;');
    await write('db/two.ts', 'export const two: number = 2;');
    await write(
      'services/cli.ts',
      "import { one } from '../db/one.js';\nimport undici from 'undici';\nconsole.log(one, typeof undici.fetch);",
    );
    await write('services/supervisor.ts', 'export const above = true;');
    await write('converter/engines/engine-thread.ts', 'export const thread = true;');
    await write('converter/engines/ooxml/xlsx/calculation-thread.ts', 'export const thread = true;');
  });
  afterAll(() => rm(root, { recursive: true }));

  it('[SU52] the program is put together with its packages, and anew when a source has changed', async () => {
    const program = path.join(root, 'dist/program');
    const output = async () => (await run(process.execPath, [path.join(program, 'services/cli.js')])).stdout;
    expect(await build()).toMatch('Compiling');
    await unlink(path.join(root, 'node_modules'));
    expect(await output()).toBe('1 function\n');
    expect(existsSync(path.join(program, 'converter/engines/engine-thread.js'))).toBe(true);
    await symlink(path.join(packageRoot, 'node_modules'), path.join(root, 'node_modules'));
    await write('db/one.ts', 'export const one: number = 11;');
    await build();
    expect(await output()).toBe('11 function\n');
  });

  it('[SU43, SU44] compiles once, and again when sources have changed; what was compiled from one that is gone goes', async () => {
    await build();
    expect(await build()).toBe('');
    await write('db/one.ts', 'export const one: number = 111;');
    await unlink(path.join(root, 'db/two.ts'));
    expect(await build()).toMatch('Compiling');
    expect(await readFile(path.join(root, 'dist/db/one.js'), 'utf8')).toMatch('111');
    expect(existsSync(path.join(root, 'dist/db/two.js'))).toBe(false);
    expect(await build()).toBe('');
  });

  it('[SU45] sources that do not compile fail, and are compiled again next time', async () => {
    await build();
    await write('db/one.ts', 'export const one: number = "1";');
    await expect(build()).rejects.toMatchObject({ stdout: expect.stringContaining('TS2322') });
    await expect(build()).rejects.toThrow('do not compile');
  });
});

describe('setup.mjs', () => {
  it('[SU46] says which Node it needs', () => {
    const script = `
      Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } });
      process.argv[2] = 'start';
      await import(${JSON.stringify(path.join(scripts, 'setup.mjs'))});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^Set-up failed: Quire needs Node.js \d+\.\d+ or later/);
    expect(status).toBe(1);
  });

  it('[SU47] names the programs that are missing and goes on where it may not install them', async () => {
    const script = `
      process.env.PATH = ${JSON.stringify(root)};
      const { installPrograms } = await import(${JSON.stringify(path.join(scripts, 'setup', 'programs.mjs'))});
      console.log(...installPrograms({ 'no-such-program': 'no-such-package' }), 'went on');`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toMatch(/Missing: no-such-program\..*\nno-such-program went on/);
  });

  it('[SU57] in CI a program of the tests that cannot be installed is an error, by its name', () => {
    const prepare = (purpose: string) => {
      const tools = path.join(root, 'tools');
      const run = spawnSync(process.execPath, [path.join(scripts, 'setup.mjs'), purpose], {
        encoding: 'utf8',
        env: { PATH: tools, HOME: root, CI: 'true', LIBREOFFICE: 'off' },
      });
      return { status: run.status, text: run.stderr };
    };
    for (const purpose of ['test', 'trials']) {
      const { status, text } = prepare(purpose);
      expect(text).toMatch(/^Set-up failed: could not be installed: .*chromium.*versitygw/);
      expect(text.includes('helm')).toBe(purpose === 'trials');
      expect(status).toBe(1);
    }
  });

  it('[SU48] tests ask for Redis, Chromium and poppler, and whatever converts for LibreOffice and fonts', async () => {
    const script = `
      process.env.PATH = ${JSON.stringify(root)};
      const { installPrograms, TEST_PROGRAMS } = await import(${JSON.stringify(path.join(scripts, 'setup', 'programs.mjs'))});
      const { installOffice } = await import(${JSON.stringify(path.join(scripts, 'setup', 'office.mjs'))});
      installPrograms(TEST_PROGRAMS);
      installOffice({ LIBREOFFICE: 'off' });
      console.log('and LibreOffice:');
      installOffice({});`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    const [programs, office] = stdout.split('and LibreOffice:');
    for (const program of ['redis-server', 'chromium', 'pdftotext']) expect(programs).toMatch(program);
    expect(programs).not.toMatch('libreoffice');
    // Its fonts are missing for whoever cannot list them.
    expect(office).toMatch(/Missing: .*Carlito.*Few formats can be opened/);
  });

  it('[DK22] a program that is a Python package is installed without root, and named where it cannot be', async () => {
    const install = async (directory: string) => {
      const script = `
        process.env.PATH = ${JSON.stringify(directory)};
        process.env.XDG_CACHE_HOME = ${JSON.stringify(path.join(root, 'cache'))};
        const { installPythonPrograms } = await import(${JSON.stringify(path.join(scripts, 'setup', 'python-programs.mjs'))});
        console.log(...installPythonPrograms({ 'made-program': 'made-package==1.0' }), 'went on');`;
      return (await run(process.execPath, ['--input-type=module', '-e', script])).stdout;
    };
    expect(await install(root)).toMatch(/Missing: made-program\..*\nmade-program went on/);
    const tools = path.join(root, 'tools');
    await mkdir(tools);
    const pretend = (pip: string) => {
      const making = `case "$2" in venv) /bin/mkdir -p "$3/bin"; printf '%s\\n' '#!/bin/sh' '${pip}' > "$3/bin/pip"; /bin/chmod +x "$3/bin/pip";; esac`;
      return writeFile(path.join(tools, 'python3'), `#!/bin/sh\n${making}\n`, { mode: 0o755 });
    };
    await pretend('echo "no such package" >&2; exit 1');
    expect(await install(tools)).toMatch(
      /Still missing: made-program.*\nno such package\nmade-program went on/,
    );
    await rm(path.join(root, 'cache'), { recursive: true });
    await pretend('[ "$3" = made-package==1.0 ] && echo made > "$(/usr/bin/dirname "$0")/made-program"');
    expect(await install(tools)).toBe('Installing Python packages: made-package==1.0 …\nwent on\n');
    expect(await install(tools)).toBe('went on\n');
  });

  it('[DK22] what the trials of the chart run is among the programs of the trials', async () => {
    const { TRIAL_GO_PROGRAMS } = await import('./setup/go-programs.mjs');
    const { TRIAL_PYTHON_PROGRAMS } = await import('./setup/python-programs.mjs');
    expect(Object.keys({ ...TRIAL_GO_PROGRAMS, ...TRIAL_PYTHON_PROGRAMS })).toEqual(
      expect.arrayContaining(['helm', 'kubernetes-validate']),
    );
  });

  it('[SU49] a program that is built with Go is built, with a Go that is installed for it, and named where it cannot be', async () => {
    const install = async (directory: string) => {
      const script = `
        process.env.PATH = ${JSON.stringify(directory)};
        process.env.GOBIN = ${JSON.stringify(path.join(root, 'bin'))};
        process.env.XDG_CACHE_HOME = ${JSON.stringify(path.join(root, 'cache'))};
        const { installGoPrograms } = await import(${JSON.stringify(path.join(scripts, 'setup', 'go-programs.mjs'))});
        console.log(...installGoPrograms({ 'made-program': 'host.example/made-program@v1.0.0' }), 'went on');`;
      return (await run(process.execPath, ['--input-type=module', '-e', script])).stdout;
    };
    expect(await install(root)).toMatch(/Missing: made-program.*\nmade-program went on/);
    const packaged = path.join(root, 'cache', 'quire', 'python', 'bin');
    await mkdir(packaged, { recursive: true });
    await writeFile(
      path.join(packaged, 'go'),
      '#!/bin/sh\n/bin/mkdir -p "$GOBIN"; echo "$2" > "$GOBIN/made-program"; /bin/chmod +x "$GOBIN/made-program"\n',
      { mode: 0o755 },
    );
    expect(await install(root)).toMatch(/^Building host\.example\/made-program@v1\.0\.0 …\nwent on/);
    await rm(path.join(root, 'bin'), { recursive: true });
    const go = path.join(root, 'tools');
    await mkdir(go);
    const pretend = (line: string) =>
      writeFile(path.join(go, 'go'), `#!/bin/sh\n[ "$1" = version ] && exit 0\n${line}\n`, { mode: 0o755 });
    await pretend('echo "no such module" >&2; exit 1');
    expect(await install(go)).toMatch(
      /Still missing: made-program.*\nno such module\n[\s\S]*made-program went on/,
    );
    await pretend(
      '/bin/mkdir -p "$GOBIN"; echo "$2" > "$GOBIN/made-program"; /bin/chmod +x "$GOBIN/made-program"',
    );
    expect(await install(go)).toMatch(/^Building host\.example\/made-program@v1\.0\.0 …\nwent on/);
    expect(await install(go)).toBe('went on\n');
  });
});
