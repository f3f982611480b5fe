import { Command, InvalidArgumentError } from 'commander';
import { ConfigError, processEnvironment } from '../../platform/config.ts';
import { exitCodes, UsageError } from './convert-command/exit-codes.ts';
import type { ConvertFlags } from './convert-command/run-convert.ts';

const help = `
Examples:
  quire convert in.odt out.pdf
  quire convert --to pdf --out-dir made a.odt b.docx
  quire convert --to png --thumbnail 200x200 slides.pptx

The files are converted on this machine, without a server or a database, by the engines that there are: LibreOffice,
and x2t where it is installed. Settings are the same environment variables as those of a server.

Ends with 0 when every file was made, 1 when some were not, 2 when it was not called as it must be,
3 when an engine is missing that some needed, 130 when it was interrupted. A file is written as a whole or not at all.`;

/** `quire convert …`: files on this machine. */
export function convertCommand(): Command {
  return new Command('convert')
    .description('convert files without a server')
    .argument('<files...>', 'a file and the name of its result; with --to any number of files')
    .option('--to <type>', 'format of the results: an extension, or ooxml, odf, pdfa')
    .option('--from <type>', 'format of the sources, where their names do not say it')
    .option('--out-dir <directory>', 'where the results of --to go; beside the sources without it')
    .option('--force', 'replace files that are there')
    .option('--ask-password', 'ask for the password of the sources on the terminal')
    .option('--password-file <file>', 'file with the password of the sources')
    .option('--password-env <name>', 'environment variable with the password of the sources')
    .option('--save-password-file <file>', 'file with the password that the results get')
    .option('--save-password-env <name>', 'environment variable with the password that the results get')
    .option('--code-page <number>', 'Windows code page of plain text')
    .option('--delimiter <character>', 'of csv: a character, or none, tab, semicolon, colon, comma, space')
    .option('--region <locale>', 'for numbers and dates of sheets, as en-US')
    .option('--pdfa', 'make PDF/A of PDFs')
    .option('--thumbnail <size>', 'pictures that fit into WIDTHxHEIGHT pixels')
    .option('--all-pages', 'pictures of all pages, in a zip file')
    .option('--options <json>', 'other options, as the conversion API has them')
    .option('--jobs <number>', 'files at the same time; as many as there are cores without it', countOf)
    .option('--json', 'print what became of each file')
    .addHelpText('after', help)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.made : exitCodes.usage))
    .action(async (files: string[], flags: ConvertFlags) => {
      try {
        process.exitCode = await convert(files, flags);
      } catch (error) {
        if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
        process.stderr.write(`${error.message}\n`);
        process.exitCode = exitCodes.usage;
      }
    });
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 256) throw new InvalidArgumentError('1 to 256.');
  return count;
}

async function convert(names: readonly string[], flags: ConvertFlags): Promise<number> {
  const interruption = interrupted();
  // Loaded late, so that other commands start quickly.
  const { runConvert } = await import('./convert-command/run-convert.ts');
  try {
    return await runConvert(names, flags, {
      environment: processEnvironment(),
      signal: interruption.signal,
      output: process.stdout,
      errors: process.stderr,
    });
  } finally {
    interruption.release();
  }
}

/** The first Ctrl-C ends conversions and removes their temporary files. A second one ends the process at once. */
function interrupted(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort(new Error('interrupted'));
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
