import { booksOf, type LinkedBook, type LinkedSheet } from '../../../model/cell/linked-book.ts';
import { formulasOf, linkedReferencesOf, linkedWishOf } from '../../../model/cell/linked-references.ts';
import type { LinkedValues } from '../../../model/cell/linked-values.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import type { CellValue } from '../../../model/cell/values.ts';
import { namesOf, sheetOf, type Workbook } from '../../../model/cell/workbook.ts';
import { nameOfClientError, nameOfServiceError } from '../../frame/error-codes.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { describeCode } from '../../frame/host-report.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';

/** How long the embedding page is given to name a file, milliseconds. */
const hostPatienceMs = 60_000;

type GivenFile = HostCommandData<'setReferenceData'>;

/** Why a link could not be updated, as a sentence for people. */
export class LinkProblem extends Error {}

/** What a link is called: the name of its file. */
export function titleOfBook({ address }: LinkedBook): string {
  const name =
    address
      .replace(/[?#].*$/, '')
      .split(/[\\/]/)
      .at(-1) ?? '';
  try {
    return decodeURIComponent(name) || address;
  } catch {
    return name;
  }
}

const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);

/** What the embedding page is told of a link. */
const factsOf = ({ address, source }: LinkedBook) => ({
  ...(source && { referenceData: source }),
  path: address,
});

/** Whether the embedding page gives the files of links, lets another be chosen, opens them. */
export const linkPowers = ({ config: { editorConfig } }: CellEditor) => ({
  update: editorConfig.canRequestReferenceData,
  change: editorConfig.canRequestReferenceSource,
  open: editorConfig.canRequestOpen,
});

/** Gives a link the values that its file has now: asks the page for the file, the server for the values. @throws LinkProblem */
export async function updateBook(editor: CellEditor, id: string): Promise<void> {
  const book = bookOf(editor.session.workbook, id);
  const facts = { ...factsOf(book), ...(isUrl(book.address) && { link: book.address }) };
  const { host } = editor;
  const file = await answerOf(
    (heard) => host.on('setReferenceData', heard),
    () => host.send('onRequestReferenceData', facts),
    hostPatienceMs,
  );
  await takeValues(editor, id, file, {});
}

/** Has another file chosen for a link, and takes the values of that. @throws LinkProblem */
export async function changeSource(editor: CellEditor, id: string): Promise<void> {
  const book = bookOf(editor.session.workbook, id);
  const { host } = editor;
  const file = await answerOf(
    (heard) => host.on('setReferenceSource', heard),
    () => host.send('onRequestReferenceSource', factsOf(book)),
  );
  const address = file.path || file.link || '';
  const { fileKey, instanceId } = file.referenceData ?? {};
  await takeValues(editor, id, file, {
    ...(address !== '' && { address }),
    source: fileKey ? { fileKey, instanceId: instanceId ?? '' } : null,
  });
}

/** Has the page open the file of a link, in a window that is opened here: pages may not, without a press. */
export function openSource(editor: CellEditor, book: LinkedBook): void {
  const windowName = `quire-link-${Date.now()}`;
  window.open('', windowName);
  editor.host.send('onRequestOpen', { ...factsOf(book), windowName });
}

function bookOf(workbook: Workbook, id: string): LinkedBook {
  const book = booksOf(workbook).get(id);
  if (!book) throw new LinkProblem(t('links.gone'));
  return book;
}

/** What the page answers; what it had said before is not meant. */
function answerOf(
  listen: (heard: (file: GivenFile) => void) => () => void,
  ask: () => void,
  patienceMs?: number,
): Promise<GivenFile> {
  return new Promise((resolve, reject) => {
    let isAsked = false;
    const timer =
      patienceMs === undefined
        ? undefined
        : setTimeout(() => {
            stop();
            reject(new LinkProblem(t('links.noAnswer')));
          }, patienceMs);
    const stop = listen((file) => {
      if (!isAsked) return;
      clearTimeout(timer);
      stop();
      if (file.error) reject(new LinkProblem(file.error));
      else if (file.url === '') reject(new LinkProblem(t('links.noFile')));
      else resolve(file);
    });
    isAsked = true;
    ask();
  });
}

async function takeValues(
  editor: CellEditor,
  id: string,
  file: GivenFile,
  patch: { address?: string; source?: LinkedBook['source'] },
): Promise<void> {
  const wish = linkedWishOf(editor.session.workbook, id);
  const values = await readValues(editor, file, wish);
  // What formulas read may be more by now; what others have taken out stays out.
  const book = bookOf(editor.session.workbook, id);
  const operation: CellOperation = {
    ...{ op: 'patch', sheet: null, kind: 'book', id },
    patch: { ...patch, sheets: sheetsWith(book, values), ...namesWith(book, values) },
  };
  if (!editor.change(operation)) throw new LinkProblem(t('links.notMade'));
  const missing = wish.sheets.filter(
    ({ name, areas }) => areas.length > 0 && !values.sheets.some((sheet) => isSame(sheet.name, name)),
  );
  if (missing.length > 0)
    throw new LinkProblem(t('links.noSheet', { name: missing.map(({ name }) => name).join(', ') }));
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function sheetsWith({ sheets }: LinkedBook, values: LinkedValues): LinkedSheet[] {
  const changed = sheets.map((sheet) => {
    const now = values.sheets.find(({ name }) => isSame(name, sheet.name));
    return now ? { name: sheet.name, cells: now.cells } : sheet;
  });
  const added = values.sheets.filter(({ name }) => !sheets.some((sheet) => isSame(sheet.name, name)));
  return [...changed, ...added];
}

function namesWith({ names = [] }: LinkedBook, values: LinkedValues): Pick<LinkedBook, 'names'> {
  if (values.names.length === 0) return {};
  const others = names.filter(({ name }) => !values.names.some((one) => isSame(one.name, name)));
  return { names: [...others, ...values.names] };
}

/** The server reads them; this page never sees the rest of the file. @throws LinkProblem */
async function readValues(editor: CellEditor, file: GivenFile, wish: object): Promise<LinkedValues> {
  try {
    const { status, data } = await editor.client.openDocument({
      ...{ c: 'linkedvalues', url: file.url, format: file.fileType, data: wish },
      ...(file.token !== undefined && { tokenDownload: file.token }),
    });
    if (status !== 'ok') throw new LinkProblem(describeCode(nameOfServiceError(Number(data))));
    const response = await fetch(String(data));
    if (!response.ok) throw new LinkProblem(describeCode('openFailed'));
    return (await response.json()) as LinkedValues;
  } catch (error) {
    if (error instanceof LinkProblem) throw error;
    throw new LinkProblem(describeCode(nameOfClientError(error) ?? 'connectionLost'), { cause: error });
  }
}

/**
 * Turns formulas that read another workbook into their values, and takes out names that do, and the link.
 * @returns how many formulas there were; null where it was refused, and why was said
 */
export function breakLink(editor: CellEditor, id: string): number | null {
  const { workbook } = editor.session;
  const reads = (formula: string) => linkedReferencesOf(formula, id) !== null;
  const names = [...namesOf(workbook)].filter(([, { formula }]) => reads(formula));
  const words = names.map(
    ({ 1: { name } }) => new RegExp(`(?<![\\p{L}\\p{N}_.\\\\])${escaped(name)}(?![\\p{L}\\p{N}_.(])`, 'iu'),
  );
  const sets = new Map<string, [number, number, CellInput][]>();
  let count = 0;
  for (const { formula, cell } of formulasOf(workbook)) {
    if (!cell || !(reads(formula) || words.some((word) => word.test(formula)))) continue;
    count += 1;
    const { sheet, row, column } = cell;
    const { grid } = sheetOf(workbook, sheet)!;
    const { rows, columns } = grid.cell(row, column).formula?.span ?? { rows: 1, columns: 1 };
    const cells = sets.get(sheet) ?? [];
    sets.set(sheet, cells);
    for (let down = 0; down < rows; down++)
      for (let right = 0; right < columns; right++) {
        const [r, c] = [row + down, column + right];
        const value: CellValue = editor.cells.valueOf(sheet, r, c) ?? grid.cell(r, c).value;
        cells.push([r, c, { v: value }]);
      }
  }
  const operations: CellOperation[] = [
    ...[...sets].map(([sheet, cells]): CellOperation => ({ op: 'set', sheet, cells })),
    ...names.map(([name]): CellOperation => ({ op: 'drop', sheet: null, kind: 'name', id: name })),
    { op: 'drop', sheet: null, kind: 'book', id },
  ];
  return editor.change({ op: 'several', operations }) ? count : null;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
