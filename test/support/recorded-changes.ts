import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What an editor sent to save while somebody worked in it: one list of change strings for each save. */
export interface Recording {
  /** The version of the editor it was recorded with. */
  version: string;
  saves: readonly (readonly string[])[];
}

/** A document and what editors of several versions recorded in it. */
export interface RecordedSaves {
  source: Uint8Array;
  recordings: readonly Recording[];
}

const directory = process.env.K6_DATASET_DIR;

/**
 * The data set of ONLYOFFICE's k6 suite, which is not ours to ship, where `K6_DATASET_DIR` says: `sample.docx`, and
 * `<version>/changes.csv` with the `changes` field of one `saveChanges` message in each line. Null without one.
 */
export const recordedSaves: RecordedSaves | null =
  directory && existsSync(path.join(directory, 'sample.docx')) ? readDataSet(directory) : null;

/** What tests that need the data set say where there is none. */
export const needsRecordings = recordedSaves
  ? 'with recorded changes'
  : 'with recorded changes (skipped: set K6_DATASET_DIR to the dataset of the k6 suite)';

function readDataSet(folder: string): RecordedSaves {
  const versions = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  return {
    source: new Uint8Array(readFileSync(path.join(folder, 'sample.docx'))),
    recordings: versions.sort().map((version) => ({
      version,
      saves: readFileSync(path.join(folder, version, 'changes.csv'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map(changesOf),
    })),
  };
}

/** A line is the inside of a JSON string, and the string is JSON. */
function changesOf(line: string): string[] {
  return JSON.parse(JSON.parse(`"${line}"`) as string) as string[];
}
