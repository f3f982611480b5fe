import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runBounded } from '../../confinement/bounded-process.ts';
import { commandOf, type X2tInstallation } from './installation.ts';

const limits = { timeoutMs: 120_000, memoryMb: 1_024, fileBytes: 256 * 1_048_576 };
const marker = 'AllFonts.js';

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * The directory with the catalogue of the fonts of this machine that x2t lays pages out with; made on first use, for
 * each version of x2t. `renew` makes it anew, for fonts that were installed since.
 */
export async function fontCatalogue(
  installation: X2tInstallation,
  { dataDir, renew = false }: { dataDir: string; renew?: boolean },
): Promise<string> {
  const { directory, version } = installation;
  const parent = path.join(dataDir, 'x2t-fonts');
  const wanted = path.join(parent, version);
  if (!renew && (await exists(path.join(wanted, marker)))) return wanted;
  await mkdir(parent, { recursive: true });
  const made = await mkdtemp(path.join(parent, 'new-'));
  try {
    const brought = path.join(directory, 'fonts');
    const folders = (await exists(brought)) ? [brought] : [];
    // What x2t cannot see when it works must not be in its catalogue.
    const visible = { readable: [directory], directory: made };
    const command = commandOf(installation, ['-create-allfonts', made, ...folders], visible);
    const ended = await runBounded(command, { directory: made, limits });
    if (ended.how !== 'exited' || !(await exists(path.join(made, marker)))) {
      const how =
        ended.how === 'timeout' ? 'it took too long' : `it ended with ${ended.exitCode ?? ended.signal}`;
      throw new Error(`x2t could not list the fonts of this machine: ${how} (${ended.output.trim()})`);
    }
    if (renew) await rm(wanted, { recursive: true, force: true });
    // Another process may have been first: then its catalogue is there, and as good.
    await rename(made, wanted).catch(async (error: unknown) => {
      if (!(await exists(path.join(wanted, marker)))) throw error;
    });
    return wanted;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
