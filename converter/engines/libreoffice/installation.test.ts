import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { servicesRegistry } from './installation.ts';

let installation: string;
beforeEach(async () => {
  installation = await mkdtemp(path.join(os.tmpdir(), 'quire-services-'));
  await mkdir(path.join(installation, 'program', 'services'), { recursive: true });
});
afterEach(() => rm(installation, { recursive: true }));

const write = (text: string) =>
  writeFile(path.join(installation, 'program', 'services', 'services.rdb'), text);
const component = (library: string) =>
  `<component loader="l" uri="vnd.sun.star.expand:$LO_LIB_DIR/${library}"><implementation name="${library}"/></component>`;

describe('the services of LibreOffice', () => {
  it('[LO14] are those that it has without the ones that play films', async () => {
    const registry = (...libraries: string[]) =>
      `<?xml version="1.0"?>\n<components>${libraries.map(component).join('')}</components>`;
    await write(registry('libone.so', 'libavmediagst.so', 'libtwo.so'));
    expect(await servicesRegistry(installation)).toBe(registry('libone.so', 'libtwo.so'));
  });

  it('[LO14] are its own where they cannot be read', async () => {
    expect(await servicesRegistry(installation)).toBeNull();
    await write('a registry of another form');
    expect(await servicesRegistry(installation)).toBeNull();
  });
});
