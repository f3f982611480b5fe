import { Command } from 'commander';
import { loadConfig, processEnvironment } from '../../platform/config.ts';
import { withSecretRecords } from '../composition/database.ts';
import { ProofKeys } from '../wopi/proof-keys.ts';
import { placeOfProofKeys } from '../wopi/wopi.ts';
import { reportingFailure } from './reporting-failure.ts';

/** `quire wopi …`: what operators do about WOPI by hand. */
export function wopiCommand(): Command {
  const command = new Command('wopi').description('look after WOPI');
  command
    .command('rotate-keys')
    .description(
      'make a new key to sign requests to WOPI hosts with; the present one stays valid as the old one',
    )
    .action(() => reportingFailure(rotateKeys));
  return command;
}

function rotateKeys(): Promise<void> {
  const config = loadConfig(processEnvironment());
  return withSecretRecords(config, async (records) => {
    const place = placeOfProofKeys(config, records);
    await ProofKeys.rotate(place);
    process.stdout.write(`There is a new key in ${place.name}. Start all servers anew to use it.\n`);
  });
}
