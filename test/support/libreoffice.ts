import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';
import { unescapeXml } from '../../converter/engines/ooxml/package/xml-text.ts';
import { realOffice } from './office.ts';

const TIMEOUT_MS = 240_000;
const bridge = path.join(import.meta.dirname, '../../converter/engines/libreoffice/bridge');

/** Whether this machine has LibreOffice; what needs it is skipped otherwise. */
export const hasLibreOffice = (process.env.PATH ?? '').split(path.delimiter).some((directory) => {
  try {
    accessSync(path.join(directory, 'soffice'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
});
if (!hasLibreOffice) console.log('skipped: soffice is not in PATH, so nothing is opened in LibreOffice');

export interface LibreOfficeText {
  /** Texts of the paragraphs of the body, tables included, that have any: no deletions, white space as one blank. */
  readonly paragraphs: string[];
  /** Texts of the cells of each table, by row; a cell that spans others stands where it begins. */
  readonly tables: string[][][];
  /** Comments in the order in which they stand in the text; paragraphs of their text are separated by line feeds. */
  readonly comments: LibreOfficeComment[];
}

export interface LibreOfficeComment {
  readonly author: string;
  readonly text: string;
  readonly done: boolean;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * What LibreOffice reads in each document. It has a profile of its own, and only one runs at a time.
 * @throws Error when it cannot open one of them, or not in time
 */
export function readWithLibreOffice(documents: readonly Uint8Array[]): Promise<LibreOfficeText[]> {
  const turn = last.then(() => read(documents));
  last = turn.catch(() => {});
  return turn;
}

/**
 * The lines of each document as LibreOffice writes plain text: with the labels of lists, white space as one blank.
 * @throws Error as above
 */
export async function printWithLibreOffice(documents: readonly Uint8Array[]): Promise<string[][]> {
  const turn = last.then(() => converted(documents, 'txt:Text (encoded):UTF8'));
  last = turn.catch(() => {});
  return (await turn).map((bytes) =>
    bytes
      .toString()
      .replace(/^\ufeff/, '')
      .split('\n')
      .map(withoutRuns),
  );
}

/**
 * What LibreOffice reads in each document once it has accepted or rejected all of its tracked changes.
 * @throws Error as above
 */
export function settleWithLibreOffice(
  documents: readonly Uint8Array[],
  decision: 'accept' | 'reject',
): Promise<LibreOfficeText[]> {
  const turn = last.then(() => settled(documents, decision));
  last = turn.catch(() => {});
  return turn;
}

async function settled(documents: readonly Uint8Array[], decision: 'accept' | 'reject') {
  const { python, program } = realOffice!;
  const command = decision === 'accept' ? 'AcceptAllTrackedChanges' : 'RejectAllTrackedChanges';
  const written = await inOffice(documents, { type: 'docx', extension: 'fodt' }, (folder) =>
    reportOf(
      python,
      [path.join(import.meta.dirname, 'settle-changes.py'), bridge, program, folder, command],
      TIMEOUT_MS,
    ),
  );
  return written.map((xml) => textOf(XmlDocument.parse(xml)));
}

async function read(documents: readonly Uint8Array[]): Promise<LibreOfficeText[]> {
  return (await converted(documents, 'fodt')).map((xml) => textOf(XmlDocument.parse(xml)));
}

/**
 * The tables of each workbook after LibreOffice has calculated them anew, as flat ODF.
 * @throws Error as above
 */
export async function calculateWithLibreOffice(
  workbooks: readonly Uint8Array[],
  timeoutMs: number,
): Promise<XmlDocument[]> {
  const turn = last.then(() => converted(workbooks, 'fods', { type: 'xlsx', timeoutMs }));
  last = turn.catch(() => {});
  return (await turn).map((xml) => XmlDocument.parse(xml));
}

/** Formulas of xlsx are calculated when they are opened, whatever values are stored. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>`;

/** @param filter what `--convert-to` takes */
async function converted(
  documents: readonly Uint8Array[],
  filter: string,
  { type = 'docx', timeoutMs = TIMEOUT_MS } = {},
): Promise<Buffer[]> {
  const [extension] = filter.split(':');
  return inOffice(documents, { type, extension: extension! }, (folder, files) =>
    soffice(folder, ['--convert-to', filter, '--outdir', folder, ...files], timeoutMs),
  );
}

/** Has LibreOffice write each of these files in another type beside it. `run` gives what it reports. */
async function inOffice(
  documents: readonly Uint8Array[],
  { type, extension }: { readonly type: string; readonly extension: string },
  run: (folder: string, files: readonly string[]) => Promise<string>,
): Promise<Buffer[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quire-libreoffice-'));
  try {
    const names = documents.map((_, index) => `document-${index}`);
    for (const [index, bytes] of documents.entries())
      await writeFile(path.join(folder, `${names[index]}.${type}`), bytes);
    await mkdir(path.join(folder, 'profile', 'user'), { recursive: true });
    await writeFile(path.join(folder, 'profile', 'user', 'registrymodifications.xcu'), SETTINGS);
    const files = names.map((name) => path.join(folder, `${name}.${type}`));
    const report = await run(folder, files);
    return await Promise.all(
      names.map((name) =>
        readFile(path.join(folder, `${name}.${extension}`)).catch(() => {
          throw new Error(`LibreOffice did not open ${name}: ${report}`);
        }),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function soffice(folder: string, given: readonly string[], timeoutMs: number): Promise<string> {
  const profile = pathToFileURL(path.join(folder, 'profile')).href;
  const options = ['--headless', '--norestore', '--nolockcheck', ...given];
  return reportOf('soffice', [`-env:UserInstallation=${profile}`, ...options], timeoutMs);
}

/** Runs a program, and gives what it writes. */
function reportOf(program: string, args: readonly string[], timeoutMs: number): Promise<string> {
  // It has children of its own, so they are one process group.
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let report = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (report += data));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      process.kill(-child.pid!, 'SIGKILL');
      reject(new Error(`LibreOffice took more than ${timeoutMs} ms: ${report}`));
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(report);
    });
  });
}

/** Parts of a paragraph that are no text of it. */
const APART = new Set([
  'text:note',
  'office:annotation',
  'office:annotation-end',
  'text:tracked-changes',
  'draw:frame',
]);
const SPACES = new Set(['text:s', 'text:tab', 'text:line-break']);

function textOf(xml: XmlDocument): LibreOfficeText {
  const body = xml.child(xml.child(xml.root, 'office:body'), 'office:text');
  const reader = new OdtReader(xml, body);
  const tables = nearest(body, 'table:table').map((table) =>
    nearest(table, 'table:table-row').map((row) =>
      nearest(row, 'table:table-cell').map((cell) => reader.lines(cell).join(' ')),
    ),
  );
  const comments = all(body, 'office:annotation').map((annotation) => ({
    author: all(annotation, 'dc:creator')
      .map((creator) => xml.content(creator))
      .join(),
    text: all(annotation, 'text:p')
      .map((paragraph) => new OdtReader(xml, undefined).lineOf(paragraph))
      .join('\n'),
    done: xml.attribute(annotation, 'loext:resolved') === 'true',
  }));
  return { paragraphs: reader.lines(body), tables, comments };
}

/** All elements of this name below another, in document order. */
function all(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).flatMap((child) => (child.name === name ? [child] : all(child, name)));
}

/** The nearest elements of this name below another, in document order. */
function nearest(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).flatMap((child) => {
    if (APART.has(child.name)) return [];
    return child.name === name ? [child] : nearest(child, name);
  });
}

/** Text of OpenDocument without what is tracked as deleted, which lies in place between two marks. */
class OdtReader {
  readonly #xml: XmlDocument;
  readonly #deletions = new Set<string>();
  #open = 0;

  constructor(xml: XmlDocument, body: XmlElement | undefined) {
    this.#xml = xml;
    for (const region of xml.child(body, 'text:tracked-changes')?.children ?? []) {
      const id = xml.attribute(region, 'text:id');
      if (id !== undefined && xml.child(region, 'text:deletion')) this.#deletions.add(id);
    }
  }

  /** Texts of the paragraphs that have any. */
  lines(element: XmlElement | undefined): string[] {
    return (element?.children ?? []).flatMap((child) => {
      if (APART.has(child.name)) return [];
      if (child.name !== 'text:p' && child.name !== 'text:h') return this.lines(child);
      const line = withoutRuns(this.#paragraph(child));
      return line === '' ? [] : [line];
    });
  }

  lineOf(paragraph: XmlElement): string {
    return withoutRuns(this.#paragraph(paragraph));
  }

  #paragraph(element: XmlElement): string {
    let text = '';
    let end = element.openEnd;
    const add = (piece: string) => {
      if (this.#open === 0) text += piece;
    };
    for (const child of element.children) {
      add(unescapeXml(this.#xml.text.slice(end, child.start)));
      end = child.end;
      if (SPACES.has(child.name)) add(' ');
      else if (child.name === 'text:change-start') this.#open += this.#deletes(child);
      else if (child.name === 'text:change-end') this.#open -= this.#deletes(child);
      else if (!APART.has(child.name)) text += this.#paragraph(child);
    }
    if (!element.selfClosing) add(unescapeXml(this.#xml.text.slice(end, element.closeStart)));
    return text;
  }

  #deletes(mark: XmlElement): number {
    return this.#deletions.has(this.#xml.attribute(mark, 'text:change-id') ?? '') ? 1 : 0;
  }
}

/** A text with stretches of white space as one blank, as LibreOffice and Word show them alike. */
export function withoutRuns(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
