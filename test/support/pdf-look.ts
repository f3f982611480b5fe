import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface PdfLook {
  readonly text: string;
  readonly pages: number;
  /** Of the first page, points. */
  readonly width: number;
  readonly height: number;
  /** Where a word begins, points from the left and the top; null where it is not there. */
  readonly left: number | null;
  readonly top: number | null;
}

/** What a PDF shows by poppler. @throws Error when it cannot be opened, with this password */
export async function look(pdf: Uint8Array, password?: Buffer, word = ''): Promise<PdfLook> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-look-'));
  try {
    const file = path.join(directory, 'looked-at.pdf');
    await writeFile(file, pdf);
    // Passwords are bytes of no encoding that a command line has.
    const shell = (program: string) =>
      run('sh', [
        '-c',
        `${program} ${password ? `-upw "$(printf '${octal(password)}')"` : ''} ${file} ${program === 'pdfinfo' ? '' : '-'}`,
      ]);
    const [info, boxes] = await Promise.all([shell('pdfinfo'), shell('pdftotext -bbox')]);
    const [, width, height] = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(info.stdout)!;
    const place = new RegExp(`<word xMin="([\\d.]+)" yMin="([\\d.]+)"[^>]*>${word}<`).exec(boxes.stdout);
    return {
      text: boxes.stdout.replaceAll(/<[^>]*>/g, ' '),
      pages: Number(/Pages:\s+(\d+)/.exec(info.stdout)![1]),
      width: Math.round(Number(width)),
      height: Math.round(Number(height)),
      left: place && Number(place[1]),
      top: place && Number(place[2]),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const octal = (bytes: Buffer) => [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
