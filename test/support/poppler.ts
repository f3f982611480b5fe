import { spawnSync } from 'node:child_process';

/** Whether this machine has poppler-utils, by which tests read PDF files. */
export const hasPoppler = spawnSync('pdfinfo', ['-v']).status === 0;
