import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '../../platform/package-root.ts';
import { LineProcess } from './line-process.ts';
import type { OfficeAct } from './workbook-deeds/deed.ts';

type Content = string | number | boolean;
/** Row, column, formula with an equals sign or value, and how it looks (openpyxl) or what it comes to (LibreOffice). */
export type ReadCell = readonly [row: number, column: number, content: Content, further: Content];

/** A workbook as another program reads it. */
export interface Reading {
  /** It does not read the file. */
  readonly error?: string;
  readonly sheets: readonly (readonly [name: string, cells: readonly ReadCell[]])[];
  /** What the schemas do not allow. */
  readonly faults?: readonly string[];
}

interface ReaderOptions {
  readonly office: boolean;
  /** A Python that has openpyxl, and lxml where there are schemas. */
  readonly python?: string | undefined;
  readonly schemas?: string | undefined;
}

/** Programs of others that read workbooks, one process each. */
export class WorkbookReaders {
  readonly #folder: string;
  readonly #office: LineProcess | undefined;
  readonly #openpyxl: LineProcess | undefined;
  #files = 0;

  static async start({ office, python, schemas }: ReaderOptions): Promise<WorkbookReaders> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'quire-workbooks-'));
    const script = (name: string) => path.join(packageRoot, 'bench/support', name);
    return new WorkbookReaders(
      folder,
      office ? new LineProcess('/usr/bin/python3', [script('workbook-office.py')]) : undefined,
      python
        ? new LineProcess(python, [script('workbook-openpyxl.py'), ...(schemas ? [schemas] : [])])
        : undefined,
    );
  }

  private constructor(folder: string, office: LineProcess | undefined, openpyxl: LineProcess | undefined) {
    this.#folder = folder;
    this.#office = office;
    this.#openpyxl = openpyxl;
  }

  get hasOffice(): boolean {
    return this.#office !== undefined;
  }

  /** What LibreOffice reads after it has done something; undefined without it. */
  async office(bytes: Uint8Array, acts: readonly OfficeAct[] = []): Promise<Reading | undefined> {
    return this.#office && this.#asked(bytes, (file) => this.#office!.ask<Reading>({ file, acts }));
  }

  /** What openpyxl reads; undefined without it. */
  async openpyxl(bytes: Uint8Array): Promise<Reading | undefined> {
    return this.#openpyxl && this.#asked(bytes, (file) => this.#openpyxl!.ask<Reading>({ file }));
  }

  async close(): Promise<void> {
    await Promise.all([this.#office?.close(), this.#openpyxl?.close()]);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #asked(bytes: Uint8Array, ask: (file: string) => Promise<Reading>): Promise<Reading> {
    this.#files += 1;
    const file = path.join(this.#folder, `read-${this.#files}.xlsx`);
    await writeFile(file, bytes);
    try {
      return await ask(file);
    } finally {
      await rm(file);
    }
  }
}
