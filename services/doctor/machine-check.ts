import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mostJobs } from '../../jobs/job-worker.ts';
import type { Config } from '../../platform/config.ts';
import { loadSecrets } from '../../platform/secrets/secrets.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';

const megabyte = 1_048_576;
/** Memory of the server itself and the embedded database, MiB. */
const serverMb = 768;
const enoughFiles = 4_096;
const fewFiles = 512;

/** What this machine allows the server: open files, memory, time zone. */
export async function checkMachine(config: Config): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const openFiles = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1];
  return [
    openFilesFinding(openFiles === 'unlimited' ? Number.POSITIVE_INFINITY : Number(openFiles)),
    memoryFinding(memoryOfProcessMb(), config),
    ok(`Time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}, ${new Date().toISOString()} in UTC`),
    ok(`Node.js ${process.version}, ${os.availableParallelism()} cores`),
  ];
}

/** Judges the limit of open files; each connection is one. */
export function openFilesFinding(limit: number): Finding {
  if (Number.isNaN(limit)) return skip('The limit of open files is not known on this system');
  const sentence = `Up to ${limit} files may be open, which is a connection each`;
  const remedy = 'Raise it: LimitNOFILE= of systemd, --ulimit nofile= of Docker, or `ulimit -n`.';
  if (limit < fewFiles) return fail(sentence, remedy);
  return limit < enoughFiles ? warn(sentence, remedy) : ok(sentence);
}

/** Judges memory by what server and converters may use at most. */
export function memoryFinding(
  memoryMb: number,
  settings: Pick<Config, 'converterProcesses' | 'converterConcurrency' | 'converterMemoryMb'>,
): Finding {
  const { converterProcesses, converterConcurrency, converterMemoryMb } = settings;
  const mostMb = serverMb + converterProcesses * mostJobs(converterConcurrency) * converterMemoryMb;
  const sentence = `There are ${memoryMb} MB of memory, and server and converters may use ${mostMb} MB`;
  if (memoryMb < serverMb) return fail(sentence, 'Give this machine or container more memory.');
  if (memoryMb >= mostMb) return ok(sentence);
  return warn(sentence, 'Lower CONVERTER_CONCURRENCY or CONVERTER_MEMORY_MB, or add memory.');
}

/** Memory of the machine, or the limit of the container. */
function memoryOfProcessMb(): number {
  const allowedBytes = process.constrainedMemory();
  const totalBytes = os.totalmem();
  return Math.round((allowedBytes > 0 ? Math.min(allowedBytes, totalBytes) : totalBytes) / megabyte);
}

/**
 * Why this process may not write to a directory, for example because another user owns it, who could not change what is left
 * there; null where it may.
 */
export async function writeProblem(directory: string): Promise<Finding | null> {
  const found = await stat(directory).catch(() => null);
  if (!found) return null;
  if (!found.isDirectory()) return fail(`${directory} is not a directory`, 'Correct DATA_DIR.');
  const uid = process.getuid?.();
  if (uid !== undefined && found.uid !== uid) {
    const [owner, me] = [found.uid, os.userInfo().username];
    const remedy = `Run the doctor as the user that runs the server, or chown -R ${me} ${directory} if that is ${me}.`;
    return warn(
      `${directory} belongs to user ${owner}, and this is ${me} (${uid}): nothing is written there`,
      remedy,
    );
  }
  const isWritable = await access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return isWritable ? null : fail(`${directory} may not be written to`, `chmod u+rwx ${directory}`);
}

/** Whether the data directory can be used, and only this user can read its secrets. */
export async function checkDataDirectory(config: Config): Promise<Finding[]> {
  const { dataDir: directory } = config;
  if (!(await stat(directory).catch(() => null))) {
    return [ok(`${directory} does not exist yet; it is made when the server is started`)];
  }
  const problem = await writeProblem(directory);
  return [problem ?? ok(`${directory} can be written to`), ...(await secretsFindings(config, directory))];
}

async function secretsFindings(config: Config, directory: string): Promise<Finding[]> {
  const file = path.join(directory, 'secrets.json');
  const found = await stat(file).catch(() => null);
  if (!found) return [];
  const findings: Finding[] = [];
  if ((found.mode & 0o077) !== 0) {
    findings.push(warn(`${file} can be read by other users of this machine`, `chmod 600 ${file}`));
  }
  try {
    await loadSecrets(config);
  } catch (error) {
    findings.push(fail((error as Error).message, `Restore ${file} from a backup.`));
  }
  return findings;
}
