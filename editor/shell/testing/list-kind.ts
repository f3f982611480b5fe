import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Clock } from '../../../client/clock.ts';
import { DocumentClient } from '../../../client/document-client.ts';
import type { DocumentHooks } from '../../../client/options.ts';
import { SavingStatusSource } from '../../../client/replica/saving-status.ts';
import type { EditingMode } from '../../../client/replica/session-options.ts';
import type { Dial } from '../../../client/transports/transport.ts';
import { nameOfClientError } from '../../frame/error-codes.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import type { HostBridge } from '../../frame/host-bridge.ts';
import { type Role, roleOf } from '../../frame/role.ts';
import { requestClose } from '../dialogs/leave-dialog.tsx';
import type { CoeditedDocument, EditingSession } from '../document-editor.ts';
import { HostFacts } from '../host/host-facts.ts';
import type { EditorKind, Opening } from '../opening/opening.ts';
import { sessionOptions } from '../opening/session-options.ts';
import type { Person } from '../people/people.ts';
import { Presence } from '../people/presence.ts';
import { followSaving } from '../saving/follow-saving.ts';

/** Where the sessions of a list lead. */
export interface ListServer {
  readonly dial: Dial;
  readonly clock: Clock;
}

/** The smallest document that can be edited together: lines, of which each is one change. */
class ListSession implements EditingSession, DocumentHooks {
  readonly client: DocumentClient;
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

/** A list on its page. */
export class ListEditor implements CoeditedDocument {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  readonly serverUrl: string;
  readonly session: ListSession;
  readonly facts: HostFacts;
  readonly presence: Presence;
  readonly panel: Signal<string | null> = signal(null);
  readonly dialog: Signal<string | null> = signal(null);
  readonly toolbarShown: Signal<boolean> = signal(true);
  readonly zoom: Signal<number> = signal(1);
  readonly mounted: Promise<void> = Promise.resolve();
  hasFocus = false;
  isPaused = false;
  #isDenied = false;

  constructor({ config, host, serverUrl }: Opening, session: ListSession) {
    this.config = config;
    this.host = host;
    this.serverUrl = serverUrl;
    this.session = session;
    this.facts = HostFacts.of(config);
    this.presence = new Presence(session.client, this.panel);
  }

  get client(): DocumentClient {
    return this.session.client;
  }

  get title(): Signal<string> {
    return this.facts.title;
  }

  get role(): Role {
    const role = roleOf(this.config);
    return this.#isDenied ? { ...role, role: 'view', canEdit: false } : role;
  }

  get people(): ReadonlySignal<readonly Person[]> {
    return this.presence.people;
  }

  add(line: string): void {
    if (this.role.canEdit && !this.isPaused) this.session.add(line);
  }

  print(): void {}

  requestClose(): void {
    void requestClose(this);
  }

  focus(): void {
    this.hasFocus = true;
  }

  denyEditing(): void {
    this.#isDenied = true;
  }

  pause(): void {
    this.isPaused = true;
  }

  close(): void {
    this.presence.stop();
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
