import { effect, type Signal, signal } from '@preact/signals';
import { newComparisonKey } from '../../../client/protocol/comparison-key.ts';
import type { HostCommandData } from '../../frame/host-commands.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { DocumentEditor } from '../document-editor.ts';
import { reasonOf, type VersionReader } from './version-reader.ts';

type GivenFile = HostCommandData<'setRevisedFile'>;

/** Another file beside the document, for reading. */
export interface ShownComparison<E> {
  /** Null while the file is being opened, and when it cannot be. */
  readonly editor: E | null;
  /** Why it cannot be shown. */
  readonly problem: string | null;
  /** How many differences are marked; null while that is not known. */
  readonly changeCount: number | null;
}

const opening: ShownComparison<never> = { editor: null, problem: null, changeCount: null };

/**
 * Compares the document with a file that the embedding page gives (integration API, 5: `onRequestSelectDocument` or, of
 * old, `onRequestCompareFile`). The file is shown with the differences marked; the document stays as it is. It ends when
 * its panel is closed or another one takes its place.
 */
export class Comparison<E extends DocumentEditor = DocumentEditor> {
  readonly shown: Signal<ShownComparison<E> | null> = signal(null);
  readonly #editor: E;
  readonly #reader: VersionReader<E>;
  readonly #stops: (() => void)[];
  #attempt = 0;

  constructor(editor: E, reader: VersionReader<E>) {
    this.#editor = editor;
    this.#reader = reader;
    const { host } = editor;
    this.#stops = [
      host.on('setRevisedFile', (file) => void this.#open(file)),
      host.on('setRequestedDocument', (file) => void this.#take(file)),
      effect(() => {
        if (editor.panel.value !== 'comparison') this.#end();
      }),
    ];
  }

  /** Whether the embedding page lets a file be chosen. */
  get isPossible(): boolean {
    const { canRequestSelectDocument, canRequestCompareFile } = this.#editor.config.editorConfig;
    return canRequestSelectDocument || canRequestCompareFile;
  }

  /** Asks the page for a file. */
  ask(): void {
    const { host, config } = this.#editor;
    if (config.editorConfig.canRequestSelectDocument) host.send('onRequestSelectDocument', { c: 'compare' });
    else host.send('onRequestCompareFile');
  }

  close(): void {
    this.#editor.panel.value = null;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#end();
  }

  #take(file: GivenFile): void {
    if (file.c === undefined || file.c === 'compare') void this.#open(file);
    else notify({ text: t('compare.onlyComparing'), kind: 'warning' });
  }

  async #open({ url, fileType, token }: GivenFile): Promise<void> {
    if (url === '') return void notify({ text: `${t('compare.cannotShow')}.`, kind: 'warning' });
    this.#end();
    const attempt = ++this.#attempt;
    this.shown.value = opening;
    this.#editor.panel.value = 'comparison';
    try {
      const file = { key: newComparisonKey(), url, fileType, token };
      const other = await this.#reader.open(file);
      if (attempt !== this.#attempt) return this.#reader.close(other);
      this.shown.value = { ...opening, editor: other };
      await this.#mark(other, attempt);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      const reason = reasonOf(error);
      const problem = `${t('compare.cannotShow')}.${reason}`;
      this.shown.value = { ...opening, problem };
      announce(problem);
    }
  }

  /** A file that cannot be compared is shown without marks. */
  async #mark(other: E, attempt: number): Promise<void> {
    try {
      const differences = await this.#reader.differencesFromDocument(other);
      if (attempt !== this.#attempt) return;
      differences.mark();
      const { count } = differences;
      this.shown.value = { editor: other, problem: null, changeCount: count };
      announce(t('compare.differences', { count }));
    } catch {
      if (attempt === this.#attempt) notify({ text: t('compare.notCompared'), kind: 'info' });
    }
  }

  #end(): void {
    this.#attempt++;
    const editor = this.shown.peek()?.editor;
    if (editor) this.#reader.close(editor);
    this.shown.value = null;
  }
}
