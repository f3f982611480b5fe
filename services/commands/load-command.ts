import { Command, InvalidArgumentError, Option } from 'commander';
import { QuireError } from '../../platform/quire-error.ts';
import { exitCodes } from './load-command/exit-codes.ts';
import { capacityCommand, compareCommand, reportCommand } from './load-command/result-commands.ts';
import type { LoadFlags } from './load-command/run-load.ts';

const help = `
Examples:
  quire load --list
  quire load hour --scale 0.1
  quire load storm --middle 3m
  quire load rooms --scale 0.05 --duration 5m --report rooms.html --result rooms.json
  quire load hour --url https://docs.example.com --public-host load.example.com --secret … --yes

Start a server first (\`npm start\`, \`quire serve\`); this command starts none. People open documents that this
command serves and takes back itself. Every acknowledged save is looked for in the log, and the text of every
delivered file is compared with what was acknowledged.

Put load on servers of your own only. A server that is not on this machine needs --yes.

Ends with 0 when all went as wanted, 1 when a threshold was missed or anything differs, 2 when it was not called as it
must be or the server lets nobody in, 130 when it was interrupted. The first Ctrl-C ends the run with the figures so far,
a second one no longer waits for files.`;

/** `quire load …`: puts load on a server, and says how it bears it. */
export function loadCommand(): Command {
  return new Command('load')
    .description('put load on a server, by a scenario, and check that nothing is lost')
    .argument('[scenario]', 'name of a scenario, or a file that ends in .json')
    .option('--list', 'list the scenarios')
    .option('--url <url>', 'the server', 'http://localhost:8000')
    .option('--scale <number>', 'how much of the scenario: 1 is all of it', positive, 0.1)
    .option('--duration <time>', 'how long its phases take together, such as 90s, 10m, 1h', durationOf)
    .addOption(
      new Option('--middle <time>', 'how long the phases between arrival and departure take together')
        .argParser(durationOf)
        .conflicts('duration'),
    )
    .option(
      '--ramp-limit <number>',
      'at most so many people come in a second: phases that bring more take longer',
      positive,
    )
    .option(
      '--best-rate <number>',
      'log-ins a second that the server can take: the scenario storm does not look for it then',
      positive,
    )
    .option('--secret <secret>', 'what tokens are signed with; JWT_SECRET, or that of DATA_DIR without it')
    .option('--seed <number>', 'numbers from which chance is made: the same ones, the same load', countOf, 1)
    .option('--processes <number>', 'processes that make the load; as many as it needs without it', countOf)
    .addOption(
      new Option('--transport <name>', 'instead of that of the scenario').choices([
        'websocket',
        'polling',
        'plain',
      ]),
    )
    .option('--changes-per-save <number>', 'instead of those of the scenario', countOf)
    .option('--public-host <host>', 'under which name the server reaches this machine', '127.0.0.1')
    .option('--metrics <url...>', 'metrics of every node of the server; /metrics of --url without it')
    .option('--result <file>', 'write the result as JSON')
    .option('--report <file>', 'write the report: one HTML file')
    .option('--yes', 'put load on a server that is not on this machine')
    .enablePositionalOptions()
    .addCommand(reportCommand())
    .addCommand(compareCommand())
    .addCommand(capacityCommand())
    .addHelpText('after', help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.passed : exitCodes.usage))
    .action(async (scenario: string | undefined, flags: LoadFlags) => {
      // Loaded late, so that other commands start quickly.
      const { runLoadCommand } = await import('./load-command/run-load.ts');
      try {
        process.exitCode = await runLoadCommand(scenario, flags);
      } catch (error) {
        if (!(error instanceof QuireError)) throw error;
        process.stderr.write(`${error.code}: ${error.message}\n`);
        process.exitCode = error.code === 'generator_failed' ? exitCodes.missed : exitCodes.usage;
      }
    });
}

/** `quire load-generator`: a process of `quire load`, which starts it. */
export function loadGeneratorCommand(): Command {
  return new Command('load-generator').action(async () => {
    const { runGenerator } = await import('../../load/generator-process.ts');
    runGenerator();
  });
}

function positive(text: string): number {
  const number = Number(text);
  if (!(Number.isFinite(number) && number > 0)) throw new InvalidArgumentError('A number above 0.');
  return number;
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('A whole number from 1 on.');
  return count;
}

/** Seconds. */
function durationOf(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text);
  const seconds = Number(match?.[1]) * ({ s: 1, m: 60, h: 3_600 }[match?.[2] ?? ''] ?? 0);
  if (!(seconds > 0)) throw new InvalidArgumentError('A time such as 90s, 10m or 1h.');
  return seconds;
}
