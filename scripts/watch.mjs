// Builds the program anew whenever a source of it changes: `npm run dev`, beside a server that is started by hand.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { programContext } from './setup/program.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const program = await programContext(root, 'info');
await program.watch();
