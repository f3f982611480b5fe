import { Command } from 'commander';
import { loadConfig, processEnvironment } from './config.ts';
import { ProofKeys } from './wopi/proof-keys.ts';
import { proofKeysFile } from './wopi/wopi.ts';

/** `quire wopi …`: what operators do about WOPI by hand. */
export function wopiCommand(): Command {
  const command = new Command('wopi').description('look after WOPI');
  command
    .command('rotate-keys')
    .description(
      'make a new key to sign requests to WOPI hosts with; the present one stays valid as the old one',
    )
    .action(async () => {
      try {
        const file = proofKeysFile(loadConfig(processEnvironment()));
        await ProofKeys.rotate(file);
        process.stdout.write(`${file} has a new key. Start the server anew to use it.\n`);
      } catch (error) {
        process.stderr.write(`${(error as Error).message}\n`);
        process.exitCode = 1;
      }
    });
  return command;
}
