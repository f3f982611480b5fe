import { strFromU8, unzipSync } from 'fflate';
import { CellSession } from '../../client/cell/cell-session.ts';
import { WordSession } from '../../client/word/word-session.ts';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import { until } from '../../test/support/histories/editor-client.ts';
import { blockTexts, wordSource } from '../../test/support/histories/word-client.ts';
import type { TestIntegrator } from '../../test/support/integrator.ts';
import { buildXlsx } from '../../test/support/xlsx-fixture.ts';

const handoverMs = 120_000;

/** A document in one of our editors, into which something is put again and again; its file has to have all of it. */
export interface KeptDocument {
  readonly name: string;
  open(): Promise<void>;
  put(): void;
  /** How often something was put in. */
  readonly count: number;
  readonly session: WordSession | CellSession;
  /** What is wrong with a file; null: nothing. */
  complaintOf(file: Uint8Array): string | null;
}

/** Where it is opened. */
export interface KeptPlace {
  readonly url: string;
  readonly integrator: TestIntegrator;
}

const optionsOf = ({ url, integrator }: KeptPlace, name: string, format: string, bytes: Uint8Array) => ({
  url,
  key: keyOf(name),
  clientId: name,
  auth: {
    user: { id: name, username: name },
    permissions: { edit: true },
    mode: 'edit' as const,
    coEditingMode: 'fast' as const,
    documentCallbackUrl: integrator.callbackUrl(keyOf(name)),
    openCmd: { format, url: integrator.serve(`kept.${format}`, { bytes }), title: `Kept.${format}` },
  },
  download: async (address: string) => (await fetch(address)).text(),
});

const keyOf = (name: string) => `kept-${name}`;

/** Words at the end of the second paragraph. */
export class KeptText implements KeptDocument {
  readonly name = 'word';
  readonly session: WordSession;
  readonly #words: string[] = [];

  constructor(place: KeptPlace) {
    this.session = new WordSession(optionsOf(place, this.name, 'docx', wordSource()));
  }

  get count(): number {
    return this.#words.length;
  }

  async open(): Promise<void> {
    await this.session.open();
  }

  put(): void {
    const { doc, tr } = this.session.state;
    const end = doc.child(0).nodeSize + doc.child(1).nodeSize - 1;
    this.#words.push(`w${this.#words.length + 1}`);
    this.session.dispatch(tr.insertText(` ${this.#words.at(-1)};`, end));
  }

  complaintOf(file: Uint8Array): string | null {
    const [, text = ''] = blockTexts(openDocx(file).doc);
    return text.endsWith(this.#words.map((word) => ` ${word};`).join(''))
      ? null
      : `the file has other words: ${text.slice(-200)}`;
  }
}

/** Numbers in the first column, and their sum beside them. */
export class KeptWorkbook implements KeptDocument {
  readonly name = 'workbook';
  readonly session: CellSession;
  count = 0;

  constructor(place: KeptPlace) {
    this.session = new CellSession(
      optionsOf(place, this.name, 'xlsx', buildXlsx([['Numbers', '=SUM(A2:A99999)']])),
    );
  }

  async open(): Promise<void> {
    await this.session.open();
  }

  put(): void {
    this.count += 1;
    const sheet = this.session.workbook.sheets[0]!.id;
    this.session.dispatch({
      operations: [{ op: 'set', sheet, cells: [[this.count, 0, { v: this.count }]] }],
    });
  }

  complaintOf(file: Uint8Array): string | null {
    const { grid } = parseWorkbook(openXlsx(file).model).sheets[0]!;
    for (let row = 1; row <= this.count; row += 1) {
      const { value } = grid.cell(row, 0);
      if (value !== row) return `row ${row + 1} of the file has ${JSON.stringify(value)}`;
    }
    const xml = strFromU8(unzipSync(file)['xl/worksheets/sheet1.xml']!);
    const sum = (this.count * (this.count + 1)) / 2;
    return xml.includes(`<v>${sum}</v>`) ? null : `the file has not the sum ${sum}`;
  }
}

/** Leaves a document. Resolves with what is wrong with the file that is delivered; null: nothing. */
export async function fileComplaint(
  document: KeptDocument,
  { integrator }: KeptPlace,
  told: (line: string) => void,
): Promise<string | null> {
  const { session, name } = document;
  const key = keyOf(name);
  const before = integrator.callbacksOf(key);
  for (const { status } of before) told(`the ${name} was delivered before its end, with ${status}`);
  await session.close();
  const isDelivered = await until(() => integrator.callbacksOf(key).length > before.length, handoverMs);
  if (!isDelivered) return `the ${name} was not delivered`;
  const { body, status } = integrator.callbacksOf(key).at(-1)!;
  if (status !== 2) return `the ${name} came with status ${status}`;
  return document.complaintOf(new Uint8Array(await (await fetch(String(body.url))).arrayBuffer()));
}
