import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type Confinement,
  confinementSentence,
  holdsFiles,
} from '../../converter/confinement/confinement.ts';
import { findOffice, OfficeUnusable } from '../../converter/engines/libreoffice/installation.ts';
import { findX2t, X2tUnusable } from '../../converter/engines/x2t/installation.ts';
import type { Config } from '../../platform/config.ts';
import {
  EditorsUnusable,
  editorsWarnings,
  findThirdPartyEditors,
} from '../integration/third-party-editors.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';

/** Which programs convert documents here, and their versions. */
export async function checkConverters(config: Config): Promise<Finding[]> {
  return whereConverted(config, [await x2tFinding(config), await libreofficeFinding(config)]);
}

/** What only converters need is missed beside them, and not beside a server that starts none. */
function whereConverted({ converterProcesses }: Config, findings: Finding[]): Finding[] {
  if (converterProcesses > 0) return findings;
  const needed = findings.filter(({ verdict }) => verdict !== 'warn');
  if (needed.length === findings.length) return findings;
  const sentence = 'This server starts no converters (CONVERTER_PROCESSES=0): run `quire doctor` beside them';
  return [...needed, skip(sentence)];
}

async function x2tFinding(config: Config): Promise<Finding> {
  try {
    const x2t = await findX2t(config);
    if (x2t) return confinementFinding(`x2t ${x2t.version} in ${x2t.directory}`, x2t.confinement);
    return warn(
      'x2t is not installed: editors of the ONLYOFFICE family cannot be used',
      'Install it: `quire install x2t`.',
    );
  } catch (error) {
    if (!(error instanceof X2tUnusable)) throw error;
    return fail(error.message, 'Until then neither server nor workers start.');
  }
}

function confinementFinding(program: string, confinement: Confinement): Finding {
  const sentence = `${program}: ${confinementSentence(confinement)}`;
  if (holdsFiles(confinement)) return ok(sentence);
  const remedy =
    'Let the server make user namespaces, or install python3 where the kernel has Landlock (Linux 5.13); ' +
    'until then convert documents only of people you trust.';
  return warn(sentence, remedy);
}

async function libreofficeFinding(config: Config): Promise<Finding> {
  try {
    const { office, missing } = await findOffice(config);
    if (office) {
      const { version, directory, confinement } = office;
      return confinementFinding(`LibreOffice ${version} in ${directory}`, confinement);
    }
    if (config.libreoffice === 'off') return skip('LibreOffice is not used: LIBREOFFICE is off');
    const packages = 'libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw python3-uno';
    return warn(
      `LibreOffice is not used, so that few formats can be opened and converted: ${missing}`,
      `Debian packages: ${packages}. Those whose names end in -nogui do not do.`,
    );
  } catch (error) {
    if (!(error instanceof OfficeUnusable)) throw error;
    return fail(error.message, 'Until then neither server nor workers start.');
  }
}

/** Fonts of common documents, each with a free one of the same widths, and where that is. */
const metricFonts: readonly { font: string; free: string; packageName: string }[] = [
  { font: 'Calibri', free: 'Carlito', packageName: 'fonts-crosextra-carlito' },
  { font: 'Cambria', free: 'Caladea', packageName: 'fonts-crosextra-caladea' },
  { font: 'Arial', free: 'Liberation Sans', packageName: 'fonts-liberation' },
  { font: 'Times New Roman', free: 'Liberation Serif', packageName: 'fonts-liberation' },
  { font: 'Courier New', free: 'Liberation Mono', packageName: 'fonts-liberation' },
];

/** Whether the fonts of common documents, or ones of the same widths, are installed. */
export async function checkFonts(config: Config): Promise<Finding[]> {
  const listed = await outputOf('fc-list', ':', 'family');
  const missing = 'fc-list is not installed: fonts cannot be listed';
  return whereConverted(
    config,
    listed === null ? [warn(missing, 'Install fontconfig and fonts.')] : fontFindings(listed),
  );
}

/** Judges font families. `listed` has one on each line, with its other names behind commas. */
export function fontFindings(listed: string): Finding[] {
  const families = new Set(
    listed
      .split(/[\n,]/)
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
  );
  const missing = metricFonts.filter(
    ({ font, free }) => !families.has(font.toLowerCase()) && !families.has(free.toLowerCase()),
  );
  if (missing.length === 0) return [ok(`${families.size} families, those of common documents among them`)];
  const names = missing.map(({ font, free }) => `${font} (or ${free})`).join(', ');
  const packages = [...new Set(missing.map(({ packageName }) => packageName))].join(' ');
  return [
    warn(
      `Documents will be laid out with other widths without ${names}`,
      `Debian packages: ${packages}. Then run \`quire install x2t --force\`.`,
    ),
  ];
}

/** Whether `EDITORS_DIR` can be served, and its version fits the converter. */
export async function checkEditors(config: Config): Promise<Finding[]> {
  if (config.editorsDir === undefined)
    return [skip('EDITORS_DIR is not set: the editors are those of Quire')];
  try {
    const editors = await findThirdPartyEditors(config);
    const x2t = await findX2t(config).catch(() => null);
    const { version } = editors!.version;
    const findings = (await editorsWarnings(editors!, x2t)).map((warning) =>
      warn(warning, 'See docs/third-party-editors.md.'),
    );
    if (x2t && series(x2t.version) !== series(version)) {
      const remedy = 'Use both of one release: the binary form changes between releases.';
      findings.push(warn(`The editors are ${version}, and x2t is ${x2t.version}`, remedy));
    }
    return [ok(`Editors ${version} in ${editors!.directory}`), ...findings];
  } catch (error) {
    if (!(error instanceof EditorsUnusable)) throw error;
    return [fail(error.message, 'Correct EDITORS_DIR; until then the server does not start.')];
  }
}

/** Major and minor number. */
const series = (version: string): string => version.split('.').slice(0, 2).join('.');

const run = promisify(execFile);
const timeoutMs = 20_000;

/** The output of a program; null where it is not installed or fails. */
async function outputOf(program: string, ...given: string[]): Promise<string | null> {
  try {
    return (await run(program, given, { timeout: timeoutMs, maxBuffer: 64 * 1024 ** 2 })).stdout;
  } catch {
    return null;
  }
}
