import { EnginePool } from '../../../converter/engines/engine-pool.ts';
import { findOffice } from '../../../converter/engines/libreoffice/installation.ts';
import { openOffice } from '../../../converter/engines/libreoffice/libreoffice-engine.ts';
import { x2tConversions } from '../../../converter/engines/x2t/conversion.ts';
import { findX2t } from '../../../converter/engines/x2t/installation.ts';
import { X2tEngine } from '../../../converter/engines/x2t/x2t-engine.ts';
import { ConversionError } from '../../../converter/errors.ts';
import { sourceLimits } from '../../../converter/source-checks/source-limits.ts';
import { loadConfig } from '../../../platform/config.ts';
import { silentLog } from '../silent-log.ts';
import { checkSaves } from './workbook-saves.ts';

/** An engine that is given files. */
export interface Subject {
  name: string;
  /** Types it reads, and for each those it writes. */
  pairs: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many tasks a conversion is, each with a deadline of its own. */
  tasks: number;
  convert(bytes: Uint8Array, fromType: string, toType: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The engines that this machine has, or those of them that are named. */
export async function subjects({
  timeoutMs,
  dataDir,
  environment = {},
  only = ['ooxml', 'x2t', 'libreoffice'],
}: {
  timeoutMs: number;
  dataDir: string;
  environment?: NodeJS.ProcessEnv;
  only?: readonly string[] | undefined;
}): Promise<Subject[]> {
  const config = loadConfig({
    ...environment,
    DATA_DIR: dataDir,
    CONVERTER_JOB_TIMEOUT_MS: String(timeoutMs),
    LIBREOFFICE_PROCESSES: '1',
  });
  const log = silentLog;
  const found: Subject[] = only.includes('ooxml') ? [ownEngine(timeoutMs)] : [];
  const x2t = only.includes('x2t') ? await findX2t(config) : null;
  if (x2t) {
    const memoryMb = config.converterMemoryMb;
    const engine = x2tConversions(await X2tEngine.start(x2t, { dataDir, timeoutMs, memoryMb, log }));
    found.push({
      name: 'x2t',
      tasks: 1,
      pairs: engine.ability.pairs,
      convert: (bytes, fromType, toType) => engine.convert(bytes, { fromType, toType, options: {} }, []),
      close: async () => undefined,
    });
  }
  const { office } = only.includes('libreoffice') ? await findOffice(config) : { office: null };
  if (office) {
    const { engine, pool } = await openOffice(office, config, { log });
    found.push({
      name: 'libreoffice',
      tasks: 1,
      pairs: engine.ability.pairs,
      convert: (bytes, fromType, toType) => engine.convert(bytes, { fromType, toType, options: {} }, []),
      close: () => pool.close(),
    });
  }
  return found;
}

function ownEngine(timeoutMs: number): Subject {
  const pool = new EnginePool({
    threads: 1,
    memoryMb: 1_024,
    timeoutMs,
    log: silentLog,
    onRun: () => undefined,
  });
  const limits = sourceLimits(loadConfig({}));
  const open = async (model: string, source: Uint8Array) => {
    const result = await pool.run({ kind: 'open', model, source, limits });
    if (result.kind === 'refused') throw new ConversionError(result.error, result.message);
    if (result.kind !== 'opened') throw new Error(`an engine opened a file and gave ${result.kind}`);
    return Buffer.from(result.model);
  };
  const assemble = async (source: Uint8Array, changes: readonly string[]) => {
    const tail = { checkpoint: null, changes, wantsCheckpoint: false };
    const result = await pool.run({ kind: 'assemble', model: 'cell', source, media: {}, ...tail });
    if (result.kind !== 'assembled')
      throw new Error(`a file that was opened is not assembled: ${JSON.stringify(result)}`);
    return result;
  };
  return {
    name: 'ooxml',
    // A workbook is opened, saved untouched and with a cell set, and opened again.
    tasks: 4,
    pairs: new Map(['docx', ...WORKBOOKS].map((type) => [type, new Set(['model'])])),
    async convert(source, fromType) {
      if (!isWorkbook(fromType)) return open('word', source);
      const model = await open('cell', source);
      await checkSaves(source, model, { assemble, reopen: (bytes) => open('cell', bytes) });
      return model;
    },
    close: () => pool.close(),
  };
}

const WORKBOOKS = ['xlsx', 'xlsm', 'xltx', 'xltm'];

/** Whether files of a type are workbooks of our own engine. */
export const isWorkbook = (type: string): boolean => WORKBOOKS.includes(type);
