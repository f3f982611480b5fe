import { availableParallelism } from 'node:os';
import { engineRules } from '../engine-rules.ts';
import { flag, integer, optionalPath, paths, type Setting, wordOrPath } from '../setting.ts';

const mostWorkers = 256;

/** A number of what works at the same time, or `auto` for the number of processor cores, which `among` bounds. */
function workerCount(
  env: string,
  description: string,
  {
    defaultText = '1',
    among: [least, most] = [1, mostWorkers],
  }: { defaultText?: '1' | 'auto'; among?: readonly [least: number, most: number] } = {},
): Setting<number> {
  const forEachCore = Math.min(most, Math.max(least, availableParallelism()));
  const defaultValue = defaultText === 'auto' ? forEachCore : 1;
  const counted = integer(env, defaultValue, { min: 1, max: mostWorkers }, description);
  return {
    ...counted,
    type: 'integer, `auto`',
    defaultText,
    parse(text) {
      if (text.toLowerCase() === 'auto') return { value: forEachCore };
      const parsed = counted.parse(text);
      return 'problem' in parsed ? { problem: parsed.problem.replace(', not', ' or auto, not') } : parsed;
    },
  };
}

const dayMs = 86_400_000;

/** The processes of a server, and what its converters use. */
export const processesSettings = {
  supervised: flag(
    'SUPERVISED',
    true,
    'Whether a small process beside `quire serve` starts the server again when it dies; false where something else does: an orchestrator of containers, systemd.',
  ),
  workers: workerCount(
    'WORKERS',
    'Processes that serve editors behind the one port; `auto` is one for each processor core.',
  ),
  converterProcesses: integer(
    'CONVERTER_PROCESSES',
    1,
    { min: 0, max: 64 },
    'Converter processes that `serve` starts beside itself; 0 when `quire worker` runs elsewhere.',
  ),
  converterPort: integer(
    'CONVERTER_PORT',
    0,
    { min: 0, max: 65_535 },
    'TCP port on which `quire worker` answers `/healthcheck` and `/metrics`; 0: none. Not for workers that `serve` starts: their metrics are on its page.',
  ),
  converterConcurrency: workerCount(
    'CONVERTER_CONCURRENCY',
    'Documents of one application that one worker process opens or converts at the same time; `auto` is one for each processor core, two at least and eight at most. There are half as many places more for other applications, and as many more for saves; conversions that nobody sits and waits for have as many as openings leave, and always one.',
    { defaultText: 'auto', among: [2, 8] },
  ),
  jobQueueLimit: integer(
    'JOB_QUEUE_LIMIT',
    5_000,
    { min: 10, max: 1_000_000 },
    'Most openings and conversions that may wait, of those that somebody waits for and of the others; further ones are refused, to be asked for again. Saving is never refused.',
  ),
  converterJobTimeoutMs: integer(
    'CONVERTER_JOB_TIMEOUT_MS',
    300_000,
    { min: 1_000, max: dayMs },
    'Longest a conversion may take, milliseconds.',
  ),
  openingTimeoutMs: integer(
    'OPENING_TIMEOUT_MS',
    30_000,
    { min: 100, max: dayMs },
    'Longest an engine may work on a document that somebody waits for to be opened, milliseconds.',
  ),
  conversionTimeoutMs: integer(
    'CONVERSION_TIMEOUT_MS',
    60_000,
    { min: 100, max: dayMs },
    'Longest an engine may work on a conversion by which no document is opened or saved, milliseconds; then it is answered with -83.',
  ),
  converterMemoryMb: integer(
    'CONVERTER_MEMORY_MB',
    1_024,
    { min: 64, max: 1_048_576 },
    'Memory that one conversion may use, MiB.',
  ),
  converterEngines: engineRules(
    'CONVERTER_ENGINES',
    'Which engine, `x2t` or `libreoffice`, converts a pair of formats where both can: `odt:docx=x2t, *:pdf=libreoffice`, the first entry that fits; of other pairs the one that keeps more, by the table in `docs/conversion.md`.',
  ),
  libreoffice: wordOrPath(
    'LIBREOFFICE',
    ['auto', 'off'],
    'LibreOffice that converts: `auto` takes the one that is installed, if there is one; `off` none; else the path of its program or of the directory that holds it.',
  ),
  libreofficeProcesses: workerCount(
    'LIBREOFFICE_PROCESSES',
    'Processes of LibreOffice that one worker process keeps at most, each started when it is needed; `auto` is one for each processor core.',
    { defaultText: 'auto' },
  ),
  libreofficeRecycleJobs: integer(
    'LIBREOFFICE_RECYCLE_JOBS',
    500,
    { min: 1, max: 1_000_000 },
    'After so many conversions a process of LibreOffice is replaced.',
  ),
  libreofficeRecycleMb: integer(
    'LIBREOFFICE_RECYCLE_MB',
    700,
    { min: 100, max: 1_048_576 },
    'A process of LibreOffice that keeps more memory than this after a conversion is replaced, MiB.',
  ),
  x2tDir: optionalPath(
    'X2T_DIR',
    '`x2t` under `DATA_DIR`, if there',
    'Directory of the converter x2t, with which editors that name no model of ours open and save documents; `quire install x2t` installs it.',
  ),
  editorsDir: optionalPath(
    'EDITORS_DIR',
    'none',
    'Directory with `web-apps` and `sdkjs` of editors of the ONLYOFFICE family, which `api.js` then opens in place of those of Quire.',
  ),
  kindModules: paths(
    'KIND_MODULES',
    'For developers: JavaScript modules, each with a further kind of document (its types, its model and the engine that reads and writes it), which servers and converters load when they start. The same on all of them.',
  ),
  converterUnconfined: flag(
    'CONVERTER_UNCONFINED',
    false,
    'Whether x2t and LibreOffice may run where the system lets them not be confined to the files of their jobs. x2t copies files of this machine into documents that link to them: for trusted documents only.',
  ),
  x2tUnconfined: flag(
    'X2T_UNCONFINED',
    false,
    'The same as `CONVERTER_UNCONFINED` for x2t alone; its name before LibreOffice was used.',
  ),
};
