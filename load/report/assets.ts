import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../../platform/package-root.ts';
import { QuireError } from '../../platform/quire-error.ts';

/** What a report has inside: the script that draws its charts (with uPlot), and its styles (with uPlot's). */
export interface ReportAssets {
  script: string;
  styles: string;
}

/** Where the build puts them. */
const directory = path.join(packageRoot, 'dist', 'report');

export class ReportAssetsError extends QuireError<'not_built'> {}

/** @throws ReportAssetsError where the program is not built */
export async function readAssets(): Promise<ReportAssets> {
  try {
    const [script, styles] = await Promise.all(
      ['report.js', 'report.css'].map((name) => readFile(path.join(directory, name), 'utf8')),
    );
    return { script: script!, styles: styles! };
  } catch (cause) {
    throw new ReportAssetsError('not_built', 'The parts of a report are not built: run `npm run build`.', {
      cause,
    });
  }
}
