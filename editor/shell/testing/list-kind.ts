import { type Signal, signal } from '@preact/signals';
import type { Clock } from '../../../client/clock.ts';
import { DocumentClient } from '../../../client/document-client.ts';
import type { DocumentHooks } from '../../../client/options.ts';
import { SavingStatusSource } from '../../../client/replica/saving-status.ts';
import type { EditingMode } from '../../../client/replica/session-options.ts';
import type { Dial } from '../../../client/transports/transport.ts';
import { nameOfClientError } from '../../frame/error-codes.ts';
import { roleOf } from '../../frame/role.ts';
import { CoeditedEditor } from '../coedited/coedited-editor.ts';
import type { EditingSession } from '../document-editor.ts';
import type { VersionReader } from '../history/version-reader.ts';
import type { EditorKind, Opening } from '../opening/opening.ts';
import { sessionOptions } from '../opening/session-options.ts';
import { followSaving } from '../saving/follow-saving.ts';

/** Where the sessions of a list lead. */
export interface ListServer {
  readonly dial: Dial;
  readonly clock: Clock;
}

/** The smallest document that can be edited together: lines, of which each is one change. */
class ListSession implements EditingSession, DocumentHooks {
  readonly client: DocumentClient;
  readonly clientId = crypto.randomUUID();
  readonly saving: SavingStatusSource;
  readonly isOldVersion = false;
  readonly lines: Signal<readonly string[]> = signal([]);
  mode: EditingMode = 'fast';
  #unsent: string[];

  constructor(opening: Opening, { dial, clock }: ListServer, unsent: readonly string[]) {
    this.#unsent = [...unsent];
    this.client = new DocumentClient({ ...sessionOptions(opening), transport: dial, clock, hooks: this });
    this.saving = new SavingStatusSource(clock);
    this.client.on('status', ({ connection }) => this.saving.connection(connection));
  }

  get savingStatus() {
    return this.saving.current;
  }

  get unsent(): readonly string[] {
    return this.#unsent;
  }

  unsentText(): string {
    return this.#unsent.join('\n');
  }

  setMode(mode: EditingMode): void {
    this.mode = mode;
  }

  save(): Promise<void> {
    this.client.queueSave();
    return this.client.saved();
  }

  saved(): Promise<void> {
    return this.client.saved();
  }

  add(line: string): void {
    this.#unsent.push(line);
    this.#count();
    this.client.queueSave();
  }

  takeBatch(): readonly string[] | null {
    return this.#unsent.length > 0 ? this.#unsent : null;
  }

  applyRemote(changes: readonly { readonly change: string }[]): void {
    this.lines.value = [...this.lines.peek(), ...changes.map(({ change }) => change)];
  }

  confirm(_firstIndex: number, count: number): void {
    this.lines.value = [...this.lines.peek(), ...this.#unsent.splice(0, count)];
    this.#count();
  }

  #count(): void {
    const unsentCount = this.#unsent.length;
    this.saving.count({ unsentCount, unacknowledgedCount: 0, journaled: false });
  }
}

const noVersions: VersionReader<ListEditor> = {
  open: () => Promise.reject(new Error('a list has no versions')),
  close: () => undefined,
  differencesSince: () => Promise.reject(new Error('a list has no versions')),
  differencesFromDocument: () => Promise.reject(new Error('a list has no versions')),
};

/** A list on its page. */
export class ListEditor extends CoeditedEditor<ListEditor> {
  readonly session: ListSession;
  hasFocus = false;

  constructor(opening: Opening, session: ListSession) {
    super({ ...opening, versions: () => noVersions });
    this.session = session;
    this.begin();
    this.tellMounted();
  }

  override get isPaused(): boolean {
    return super.isPaused;
  }

  add(line: string): void {
    if (this.role.canEdit && !this.isPaused) this.session.add(line);
  }

  override print(): void {}

  focus(): void {
    this.hasFocus = true;
  }
}

/** Lists, as the page opens them. */
export class ListKind implements EditorKind<ListEditor> {
  readonly staysWhileReopening = true;
  readonly roleOf = roleOf;
  readonly codeOf = nameOfClientError;
  readonly #server: ListServer;
  #session: ListSession | null = null;

  constructor(server: ListServer) {
    this.#server = server;
  }

  async open(opening: Opening): Promise<ListEditor> {
    const session = new ListSession(opening, this.#server, this.#session?.unsent ?? []);
    this.#session = session;
    opening.signal.addEventListener('abort', () => session.client.abort());
    opening.follow(session.client);
    await session.client.open();
    if (session.unsent.length > 0) session.client.queueSave();
    return new ListEditor(opening, session);
  }

  follow(editor: ListEditor, isNext: boolean): () => void {
    return followSaving(editor, isNext);
  }
}
