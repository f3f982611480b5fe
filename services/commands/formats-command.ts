import { Command } from 'commander';
import { findOffice } from '../../converter/engines/libreoffice/installation.ts';
import { findX2t } from '../../converter/engines/x2t/installation.ts';
import { abilitiesOf } from '../../converter/formats/abilities.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { formatsJson, formatsTable } from '../../converter/formats/formats-page.ts';
import type { PresentEngine } from '../../db/converter-engines.ts';
import { loadConfig, processEnvironment } from '../../platform/config.ts';

/** Engines of the table. The copy of a file is no conversion. */
const engines = ['x2t', 'libreoffice'];

/** `quire formats`: what is converted into what, and by which engine. */
export function formatsCommand(): Command {
  return new Command('formats')
    .description('list what is converted into what, by the engines of this machine')
    .option('--all', 'by all engines there can be, whether they are here or not')
    .option('--markdown', 'as a table in Markdown (the default)')
    .option('--json', 'for programs')
    .action(async ({ all = false, json = false }: { all?: boolean; json?: boolean }) => {
      const table = all ? wholeTable() : new ConversionTable(abilitiesOf(await present()));
      process.stdout.write(`${json ? formatsJson(table) : formatsTable(table, engines)}\n`);
    });
}

/** What all known engines convert, installed or not. */
export const wholeTable = (): ConversionTable =>
  new ConversionTable(abilitiesOf(engines.map((engine) => ({ engine, version: '' }))));

async function present(): Promise<PresentEngine[]> {
  const config = loadConfig(processEnvironment());
  const [x2t, { office }] = await Promise.all([findX2t(config), findOffice(config)]);
  return [
    ...(x2t ? [{ engine: 'x2t', version: x2t.version }] : []),
    ...(office ? [{ engine: 'libreoffice', version: office.version }] : []),
  ];
}
