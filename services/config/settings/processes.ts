import { anyText, flag, integer, optionalText } from '../setting.ts';
import { workerCount } from '../worker-count.ts';

const dayMs = 86_400_000;

/** The processes of a server, and what its converters use. */
export const processesSettings = {
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
    'TCP port on which `quire worker` answers `/healthcheck` and `/metrics`; 0: none. Not for workers that `serve` starts: their figures are on its page.',
  ),
  converterConcurrency: integer(
    'CONVERTER_CONCURRENCY',
    2,
    { min: 1, max: 256 },
    'Documents that one worker process opens or assembles at the same time.',
  ),
  converterJobTimeoutMs: integer(
    'CONVERTER_JOB_TIMEOUT_MS',
    300_000,
    { min: 1_000, max: dayMs },
    'Longest a conversion may take, milliseconds.',
  ),
  converterMemoryMb: integer(
    'CONVERTER_MEMORY_MB',
    1_024,
    { min: 64, max: 1_048_576 },
    'Memory that one conversion may use, MiB.',
  ),
  x2tDir: optionalText(
    'X2T_DIR',
    '`x2t` under `DATA_DIR`, if there',
    anyText,
    'Directory of the converter x2t, with which editors that name no model of ours open and save documents; `quire install x2t` installs it.',
  ),
  editorsDir: optionalText(
    'EDITORS_DIR',
    'none',
    anyText,
    'Directory with `web-apps` and `sdkjs` of editors of the ONLYOFFICE family, which `api.js` then opens in place of those of Quire.',
  ),
  x2tUnconfined: flag(
    'X2T_UNCONFINED',
    false,
    'Whether x2t may run where the system lets it not be confined to the files of its job. It copies files of this machine into documents that link to them: for trusted documents only.',
  ),
};
