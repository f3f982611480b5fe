import { pino } from 'pino';
import type { ConversionEngine, EngineAbility } from '../../../converter/engines/conversion-engine.ts';
import { copyAbility, copyEngine } from '../../../converter/engines/copy-engine.ts';
import { convert } from '../../../converter/engines/engine-thread.ts';
import { findOffice, type OfficeInstallation } from '../../../converter/engines/libreoffice/installation.ts';
import { type Office, openOffice } from '../../../converter/engines/libreoffice/libreoffice-engine.ts';
import { tableAbility, tableEngine } from '../../../converter/engines/table-engine.ts';
import { x2tConversions } from '../../../converter/engines/x2t/conversion.ts';
import { findX2t, type X2tInstallation } from '../../../converter/engines/x2t/installation.ts';
import { X2tEngine } from '../../../converter/engines/x2t/x2t-engine.ts';
import { abilitiesOf, presentEngines } from '../../../converter/formats/abilities.ts';
import type { Conversion } from '../../../converter/formats/conversion.ts';
import { ConversionTable } from '../../../converter/formats/conversion-table.ts';
import { enginePreference } from '../../../converter/formats/engine-preference.ts';
import type { PresentEngine } from '../../../db/converter-engines.ts';
import type { Config } from '../../../platform/config.ts';

const silentLog = pino({ level: 'silent' });

/** Engines of this machine without a server. Each is started when a file needs it. */
export class OwnEngines {
  readonly table: ConversionTable;
  /** Why LibreOffice is not among them; null when it is. */
  readonly missing: string | null;
  readonly #config: Config;
  readonly #x2t: X2tInstallation | null;
  readonly #installation: OfficeInstallation | null;
  #started: Promise<ConversionEngine> | null = null;
  #office: Promise<Office> | null = null;

  private constructor(
    config: Config,
    x2t: X2tInstallation | null,
    found: { office: OfficeInstallation | null; missing: string | null },
  ) {
    this.#config = config;
    this.#x2t = x2t;
    this.#installation = found.office;
    this.missing = found.missing;
    const present: PresentEngine[] = [
      ...presentEngines([copyAbility, tableAbility]),
      ...(x2t ? [{ engine: 'x2t', version: x2t.version }] : []),
      ...(found.office ? [{ engine: 'libreoffice', version: found.office.version }] : []),
    ];
    this.table = new ConversionTable(abilitiesOf(present), enginePreference(config.converterEngines));
  }

  /** @throws X2tUnusable, OfficeUnusable when one is named that cannot be used */
  static async find(config: Config): Promise<OwnEngines> {
    const [x2t, found] = await Promise.all([findX2t(config), findOffice(config)]);
    return new OwnEngines(config, x2t, found);
  }

  /** Whether an engine that is not installed could do it. */
  couldBeDone(conversion: Conversion): boolean {
    const all = ['x2t', 'libreoffice'].map((engine) => ({ engine, version: '' }));
    return new ConversionTable(abilitiesOf(all)).handles(conversion.fromType, conversion.toType);
  }

  /** @throws ConversionError as {@link ConversionTable.choose} does */
  async engineFor(conversion: Conversion): Promise<ConversionEngine> {
    const { name }: EngineAbility = this.table.choose(conversion);
    if (name === 'x2t') return this.#startX2t();
    if (name === tableAbility.name) return tableEngine({ run: convert });
    return name === 'libreoffice' ? (await this.#startOffice()).engine : copyEngine;
  }

  /** Ends engines that were started, with their conversions. */
  async close(): Promise<void> {
    const office = await this.#office?.catch(() => null);
    await office?.pool.close();
  }

  #startX2t(): Promise<ConversionEngine> {
    const { dataDir, converterJobTimeoutMs: timeoutMs, converterMemoryMb: memoryMb } = this.#config;
    const options = { dataDir, timeoutMs, memoryMb, log: silentLog };
    this.#started ??= X2tEngine.start(this.#x2t!, options).then(x2tConversions);
    return this.#started;
  }

  #startOffice(): Promise<Office> {
    this.#office ??= openOffice(this.#installation!, this.#config, { log: silentLog });
    return this.#office;
  }
}
