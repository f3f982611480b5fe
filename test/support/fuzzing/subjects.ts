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

/** An engine that is given files. */
export interface Subject {
  name: string;
  /** Types it reads, and for each those it writes. */
  pairs: ReadonlyMap<string, ReadonlySet<string>>;
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
  return {
    name: 'ooxml',
    pairs: new Map([['docx', new Set(['model'])]]),
    async convert(source) {
      const result = await pool.run({
        kind: 'open',
        model: 'word',
        source,
        limits: sourceLimits(loadConfig({})),
      });
      if (result.kind === 'refused') throw new ConversionError(result.error, result.message);
      if (result.kind !== 'opened') throw new Error(`an engine opened a file and gave ${result.kind}`);
      return Buffer.from(result.model);
    },
    close: () => pool.close(),
  };
}
