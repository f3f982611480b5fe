import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, processEnvironment } from '../../../platform/config.ts';
import { QuireError } from '../../../platform/quire-error.ts';
import {
  type Confinement,
  confinementSentence,
  holdsFiles,
  strongestConfinement,
} from '../../confinement/confinement.ts';

/** A LibreOffice on this machine, and the Python that speaks to it. */
export interface OfficeInstallation {
  /** `soffice.bin`. */
  program: string;
  /** The directory of the whole, above that of its programs. */
  directory: string;
  python: string;
  version: string;
  /** How far it is held when it runs. */
  confinement: Confinement;
}

/** What was found, or what is missing. */
type FoundOffice =
  | { readonly office: OfficeInstallation; readonly missing: null }
  | { readonly office: null; readonly missing: string };

/** `LIBREOFFICE` names one that cannot be used. */
export class OfficeUnusable extends QuireError {
  constructor(named: string, why: string) {
    super(
      'office-unusable',
      `The LibreOffice that LIBREOFFICE names, ${named}, cannot be used: ${why}. ` +
        'Name another one, or set LIBREOFFICE to `auto` or `off`.',
    );
  }
}

const patienceMs = 30_000;
const usualPlaces = ['/usr/lib/libreoffice', '/usr/lib64/libreoffice', '/opt/libreoffice'];
/**
 * The parts that convert, and files that only complete installations of them have: without these, a lasting process
 * crashes.
 */
const parts: Readonly<Record<string, string>> = {
  swriter: 'libreoffice-writer',
  scalc: 'libreoffice-calc',
  simpress: 'libreoffice-impress',
  sdraw: 'libreoffice-draw',
};

/**
 * The LibreOffice that is to be used.
 * @throws OfficeUnusable when the setting names one that is missing, incomplete, or cannot be confined and must be
 */
export async function findOffice({
  libreoffice,
  converterUnconfined,
}: Pick<Config, 'libreoffice' | 'converterUnconfined'>): Promise<FoundOffice> {
  if (libreoffice === 'off') return missing('LIBREOFFICE is off');
  const isNamed = libreoffice !== 'auto';
  const places = isNamed ? [libreoffice] : [...inPath(), ...usualPlaces];
  const found = await inspect(places, converterUnconfined);
  if (isNamed && found.missing !== null) throw new OfficeUnusable(libreoffice, found.missing);
  return found;
}

const missing = (what: string): FoundOffice => ({ office: null, missing: what });

async function inspect(places: readonly string[], mayBeUnconfined: boolean): Promise<FoundOffice> {
  const program = await firstOf(places.flatMap(programsAt));
  if (program === null) return missing('there is no soffice.bin');
  const directory = path.dirname(path.dirname(program));
  const lacking = await lackingPackages(directory);
  if (lacking.length > 0) {
    return missing(`${lacking.join(', ')} is not installed, or without its user interface`);
  }
  const [python, version, confinement] = await Promise.all([
    pythonFor(directory),
    versionOf(program),
    strongestConfinement(),
  ]);
  if (python === null) return missing('no Python 3 has the module `uno` (package python3-uno)');
  if (version === null) return missing(`${program} does not run`);
  if (!holdsFiles(confinement) && !mayBeUnconfined) {
    return missing(`${confinementSentence(confinement)} CONVERTER_UNCONFINED=true allows it all the same`);
  }
  return { office: { program, directory, python, version, confinement }, missing: null };
}

async function lackingPackages(directory: string): Promise<string[]> {
  const modules = path.join(directory, 'share', 'config', 'soffice.cfg', 'modules');
  const lacking: string[] = [];
  for (const [part, packageName] of Object.entries(parts)) {
    if (!(await isThere(path.join(modules, part, 'ui')))) lacking.push(packageName);
  }
  return lacking;
}

/** A path may be that of a program, of a link to it, or of the directory above. */
const programsAt = (place: string): string[] => [
  path.join(place, 'program', 'soffice.bin'),
  path.join(place, 'soffice.bin'),
  path.join(path.dirname(place), 'soffice.bin'),
];

const inPath = (): string[] =>
  (processEnvironment().PATH ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .map((directory) => path.join(directory, 'soffice'));

async function firstOf(candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates) {
    // What is in PATH is a link into the installation.
    const beside = path.join(path.dirname(candidate), 'soffice');
    const linked = await realpath(beside).catch(() => beside);
    for (const program of [candidate, path.join(path.dirname(linked), 'soffice.bin')]) {
      if (await isProgram(program)) return realpath(program);
    }
  }
  return null;
}

async function isProgram(file: string): Promise<boolean> {
  const isFile = await stat(file).then(
    (entry) => entry.isFile(),
    () => false,
  );
  return isFile && (await isThere(file, constants.X_OK));
}

const isThere = (file: string, mode: number = constants.F_OK): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

/** Its own Python, where it brings one; else that of the system. */
async function pythonFor(directory: string): Promise<string | null> {
  const candidates = [path.join(directory, 'program', 'python'), '/usr/bin/python3', 'python3'];
  for (const python of candidates) {
    if ((await outputOf(python, ['-c', 'import uno; print("uno")']))?.trim() === 'uno') return python;
  }
  return null;
}

async function versionOf(program: string): Promise<string | null> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-office-version-'));
  try {
    const profile = `-env:UserInstallation=${pathToFileURL(directory)}`;
    const said = await outputOf(program, ['--version', profile], directory);
    return /LibreOffice\S*\s+(\d+(?:\.\d+)+)/.exec(said ?? '')?.[1] ?? null;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function outputOf(
  program: string,
  argumentsOf: readonly string[],
  home = '/nonexistent',
): Promise<string | null> {
  const environment = {
    PATH: processEnvironment().PATH,
    LANG: 'C.UTF-8',
    HOME: home,
    SAL_USE_VCLPLUGIN: 'svp',
  };
  return new Promise((resolve) => {
    const options = { timeout: patienceMs, env: environment };
    execFile(program, [...argumentsOf], options, (error, stdout) => resolve(error ? null : stdout));
  });
}

/**
 * Libraries whose services no conversion needs. The one for media opens every film that a presentation names or holds, and
 * waits 10 s for its size, twice.
 */
const unwanted = ['libavmediagst.so', 'libavmediaqt5.so', 'libavmediaqt6.so'];

/**
 * The registry of LibreOffice's services without those that no conversion needs, in the XML of `services.rdb`. Null where
 * the installation has it in another form: then LibreOffice takes its own.
 */
export async function servicesRegistry(installationDirectory: string): Promise<string | null> {
  const file = path.join(installationDirectory, 'program', 'services', 'services.rdb');
  const registry = await readFile(file, 'utf8').catch(() => null);
  if (registry === null || !/^<\?xml|^<components/.test(registry)) return null;
  return unwanted.reduce((text, library) => {
    const component = new RegExp(`<component [^>]*/${library.replaceAll('.', '\\.')}".*?</component>`, 's');
    return text.replace(component, '');
  }, registry);
}
