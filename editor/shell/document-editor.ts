import type { ReadonlySignal, Signal } from '@preact/signals';
import type { DocumentClient } from '../../client/document-client.ts';
import type { FrameConfig } from '../frame/frame-config.ts';
import type { HostBridge } from '../frame/host-bridge.ts';
import type { Role } from '../frame/role.ts';
import type { HostFacts } from './host/host-facts.ts';
import type { Person } from './people/people.ts';

/** As much of an open document, of whatever kind, as the page around it acts on. */
export interface OpenDocument {
  readonly config: FrameConfig;
  readonly host: HostBridge;
  /** Address of the server, with any path prefix. */
  readonly serverUrl: string;
  readonly client: DocumentClient;
  readonly facts: HostFacts;
  readonly title: Signal<string>;
  /** What this person may do now. */
  readonly role: Role;
  /** Who is in the document now, oneself first. */
  readonly people: ReadonlySignal<readonly Person[]>;
  /** Sends what this person has done and is not with the server. Resolves when all of it is. */
  save(): Promise<void>;
  /** Has the document printed, as pages where an engine makes them. */
  print(): void;
  /** Asks the embedding page to close the document. */
  requestClose(): void;
}
