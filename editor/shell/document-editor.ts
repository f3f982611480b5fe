import type { ReadonlySignal, Signal } from '@preact/signals';
import type { DocumentClient } from '../../client/document-client.ts';
import type { SavingStatus, SavingStatusSource } from '../../client/replica/saving-status.ts';
import type { EditingMode } from '../../client/replica/session-options.ts';
import type { FrameConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import type { Role } from '../frame/role.ts';
import type { HostFacts } from './host/host-facts.ts';
import type { Person } from './people/people.ts';
import type { Presence } from './people/presence.ts';

/** A session in which a document is edited, of whatever kind: where its changes are, and how they are shared. */
export interface EditingSession {
  /** No other session is called so. */
  readonly clientId: string;
  readonly client: DocumentClient;
  /** Where the changes of this session are, and events when that changes. */
  readonly saving: SavingStatusSource;
  readonly savingStatus: SavingStatus;
  /** The key is of a version that has been stored since: it can only be read. */
  readonly isOldVersion: boolean;
  readonly mode: EditingMode;
  setMode(mode: EditingMode): void;
  /** Sends what is unsent. Resolves when all of it is stored on the server. */
  save(): Promise<void>;
  /** Resolves when everything that was sent so far is stored. */
  saved(): Promise<void>;
  /** The text that the changes put in which are not stored yet. */
  unsentText(): string;
}

/** What of a document a copy is made of, and how. */
export interface CopyWish {
  /** The one sheet, counted from 1. */
  readonly sheet?: number;
  /** What stands between the cells of a table in plain text. */
  readonly delimiterChar?: string;
  /** By which numbers and days are written, with its country. */
  readonly region?: string;
}

/** As much of an open document, of whatever kind, as the page around it acts on. */
export interface OpenDocument {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  /** Address of the server, with any path prefix. */
  readonly serverUrl: string;
  readonly client: DocumentClient;
  /** Null where the document is only looked at. */
  readonly session: EditingSession | null;
  readonly facts: HostFacts;
  readonly title: Signal<string>;
  /** What this person may do now. */
  readonly role: Role;
  /** The participants, oneself first. */
  readonly people: ReadonlySignal<readonly Person[]>;
  /** What is wished of a copy of a type. */
  wishFor?(fileType: string): Promise<CopyWish>;
  /** Has the document printed, as pages where an engine makes them: all of it, or what is usual for its kind. */
  print(): void;
  /** Asks the embedding page to close the document. */
  requestClose(): void;
}

/** What a kind has on the page: its document with the panel beside it and the dialog over it. */
export interface DocumentEditor extends OpenDocument {
  /** Name of the panel beside the document; a kind has names of its own besides {@link SharedPanel}. */
  readonly panel: Signal<string | null>;
  /** Name of the dialog that is open, `find` for the find bar; a kind has names of its own besides {@link SharedDialog}. */
  readonly dialog: Signal<string | null>;
  /** Resolves when the document is on the screen. */
  readonly mounted: Promise<void>;
  /** Gives the document the focus. */
  focus(): void;
  /** Takes the right to change the document away, for as long as this page lives. */
  denyEditing?(): void;
  /** Takes no more changes: the next session takes over what is unsent here, and then takes the place of this one. */
  pause?(): void;
  /** Ends it while it is not on the page. */
  close(): void;
}

/** A document that people edit together. */
export interface CoeditedDocument extends DocumentEditor {
  readonly session: EditingSession;
  readonly presence: Presence;
  /** Whether the row of buttons that format is there. */
  readonly toolbarShown: Signal<boolean>;
  /** 1 is the size on paper. */
  readonly zoom: Signal<number>;
}

/** The panels that any kind may have. */
export type SharedPanel = 'comments' | 'chat' | 'participants' | 'history' | 'comparison';

/** The dialogs that any kind may have. */
export type SharedDialog = 'find' | 'shortcuts' | 'rename' | 'sharing' | 'leave' | 'download';

/** Opens a panel, or closes it if it is open. */
export function togglePanel({ panel }: Pick<DocumentEditor, 'panel'>, name: string): void {
  panel.value = panel.value === name ? null : name;
}

/** Opens one of the shared dialogs. */
export function openDialog({ dialog }: Pick<DocumentEditor, 'dialog'>, name: SharedDialog): void {
  dialog.value = name;
}

/** What every shared dialog is drawn with. */
export interface DialogProps {
  editor: DocumentEditor;
  onClose: () => void;
}
