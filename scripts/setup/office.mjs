import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { installMissing } from './programs.mjs';

const usualPlaces = ['/usr/lib/libreoffice', '/usr/lib64/libreoffice', '/opt/libreoffice'];

/** Parts of LibreOffice by the folder that only a complete installation has, and their Debian packages. */
const parts = {
  swriter: 'libreoffice-writer',
  scalc: 'libreoffice-calc',
  simpress: 'libreoffice-impress',
  sdraw: 'libreoffice-draw',
};

/** Fonts with the widths of those in common documents, and their Debian packages. */
const fonts = {
  'Liberation Sans': 'fonts-liberation2',
  Carlito: 'fonts-crosextra-carlito',
  Caladea: 'fonts-crosextra-caladea',
};

const packages = {
  ...Object.fromEntries(Object.values(parts).map((name) => [name, name])),
  'python3-uno': 'python3-uno',
  ...fonts,
};

/**
 * Installs LibreOffice, which converts, with its interface for Python and fonts, unless the settings say that this machine
 * does not convert by it. Never a reason not to start: whatever is missing then is named.
 *
 * @returns the names of what is missing still
 */
export function installOffice({ LIBREOFFICE: setting, CONVERTER_PROCESSES: processes }) {
  if ((setting && setting !== 'auto') || processes === '0') return [];
  const consequence =
    'Few formats can be opened and converted without LibreOffice, and layouts change without fonts.';
  return installMissing(whatOfficeLacks, (name) => packages[name], consequence);
}

/** Names of what is not there. It looks for files: programs are asked only where these say nothing. */
function whatOfficeLacks() {
  const directory = officeDirectory();
  const modules = directory && path.join(directory, 'share', 'config', 'soffice.cfg', 'modules');
  const lacking = Object.keys(parts)
    .filter((part) => modules === null || !existsSync(path.join(modules, part, 'ui')))
    .map((part) => parts[part]);
  return [...lacking, ...(hasUno(directory) ? [] : ['python3-uno']), ...missingFonts()];
}

function officeDirectory() {
  const inPath = (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'soffice'));
  const link = inPath.find((file) => existsSync(file));
  const places = [...(link ? [path.dirname(path.dirname(realpathSync(link)))] : []), ...usualPlaces];
  return places.find((place) => existsSync(path.join(place, 'program', 'soffice.bin'))) ?? null;
}

function hasUno(directory) {
  const files = [
    '/usr/lib/python3/dist-packages/uno.py',
    directory && path.join(directory, 'program', 'python'),
  ];
  if (files.some((file) => file && existsSync(file))) return true;
  return ['/usr/bin/python3', 'python3'].some(
    (python) => spawnSync(python, ['-c', 'import uno'], { stdio: 'ignore' }).status === 0,
  );
}

function missingFonts() {
  const { status, stdout } = spawnSync('fc-list', [':', 'family'], { encoding: 'utf8' });
  const listed = status === 0 ? stdout : '';
  return Object.keys(fonts).filter((font) => !listed.includes(font));
}
