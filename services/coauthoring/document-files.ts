import { DisconnectCode, documentFile, type OpenCommand, ServiceError } from '../../client/protocol/index.ts';
import { shownType } from '../../converter/formats/kind-formats.ts';
import type { OpeningOptions } from '../../converter/jobs/opening-options.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';
import type { Media } from '../../db/media.ts';
import type { OpenedSource } from '../../db/opened-sources.ts';
import { kinds } from '../../model/kinds.ts';
import type { Routing } from '../../platform/ports/document-lifecycle.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { FileLinks } from '../http/file-links.ts';
import { routingOfDocument } from '../http/routing.ts';
import type { SmallFiles } from '../http/small-files.ts';
import type { DocumentConversions } from '../lifecycle/document-conversions.ts';
import type { Opening } from '../lifecycle/opening/opening.ts';
import type { OpeningListener } from '../lifecycle/opening/opening-progress.ts';
import type { DocumentActor } from './document/actor.ts';
import { isEditor } from './document/member.ts';
import { send } from './document/open-document.ts';
import {
  type ForeignForm,
  goTogether,
  isEditorFor,
  isForOthers,
  isOffered,
  isOpenInOther,
  modelOf,
} from './document-model.ts';
import type { Connection } from './gateway/connection.ts';
import { openedAs } from './opened-as.ts';
import type { FoundDocument, SignedIn } from './sign-in/sign-in-attempt.ts';

export interface DocumentFilesDependencies {
  documents: Documents;
  media: Media;
  opening: Opening;
  conversions: Pick<DocumentConversions, 'make'>;
  links: FileLinks;
  smallFiles: Pick<SmallFiles, 'find'>;
  sealing: Sealing;
  /** The form in which editors that name no model of ours get documents. */
  foreignModel: ForeignForm;
}

/** How a document is opened for somebody. */
interface OpenOptions {
  /** The document as it was found a moment ago; else it is looked up. */
  found?: FoundDocument | undefined;
  /** Called when it was opened now, and not before. */
  whenFirst?: (files: Readonly<Record<string, string>>) => void;
  /** Called while that takes a while. */
  onProgress?: OpeningListener | undefined;
}

/** The files of a document that somebody is attached to, and links to them for that connection. */
export class DocumentFiles {
  readonly #deps: DocumentFilesDependencies;

  constructor(dependencies: DocumentFilesDependencies) {
    this.#deps = dependencies;
  }

  /** Sends every member but this one that somebody has said how the document is to be opened, with links of their own. */
  sendToOthers({ actor, member }: SignedIn, files: Readonly<Record<string, string>>): void {
    const { key, members } = actor.document;
    for (const other of members.values()) {
      if (other === member) continue;
      const { baseUrl, routing } = other.visitor;
      const links = this.#linksFor(files, { baseUrl, routing: routingOfDocument(key, routing) }, key);
      send(other, { type: 'documentOpen', data: { type: 'reopen', status: 'ok', data: links } });
    }
  }

  /**
   * Opens the document if that was not done yet. Resolves with blobs by path, also pictures that editors have put in
   * since. A user who has given the document's password once need not give it again.
   */
  async open(
    signedIn: SignedIn,
    command: Partial<OpenCommand>,
    { found: known, whenFirst, onProgress }: OpenOptions = {},
  ): Promise<OpenedSource> {
    const { documents, media } = this.#deps;
    const { actor, member } = signedIn;
    const { document } = actor;
    const found = known?.row ?? (await documents.find(document.key));
    if (!found) return { ok: false, errorCode: ServiceError.unknown };
    const wanted = this.#wantedModel(signedIn, command);
    if (wanted === null) return { ok: false, errorCode: ServiceError.convertParams };
    const row = await this.#unlessPages(found, wanted);
    const { opened, isFirst } = await this.#openSource(signedIn, command, { row, wanted, onProgress });
    if (!opened.ok) return opened;
    // Another node may have opened it since this one has come.
    if (!document.isOpen) await actor.run(() => this.#lookAt(actor));
    if (command.password && !member.knowsPassword) await actor.run(() => actor.passwordGiven(member));
    // Where it was not open yet when somebody came, they were let in without having been compared with it.
    const isSettled = row.model !== null && goTogether(row.model, wanted);
    if (isFirst) whenFirst?.(opened.files);
    else if (command.c && !isSettled) {
      if (await this.#isLeftTo(signedIn, wanted))
        return this.open(signedIn, command, { whenFirst, onProgress });
      if (!(await this.#fitsWhatWasOpened(signedIn, wanted))) {
        return { ok: false, errorCode: ServiceError.editorChanges };
      }
    }
    if (wanted === 'pages' && row.model !== null && row.model !== 'pages') return this.#pagesOf(row);
    return { ok: true, files: { ...(known?.media ?? (await media.of(document.key))), ...opened.files } };
  }

  /** Has the source opened, once for everybody; `isFirst`: it was opened by this request. */
  async #openSource(
    signedIn: SignedIn,
    command: Partial<OpenCommand>,
    { row, wanted, onProgress }: { row: DocumentRow; wanted: string; onProgress?: OpeningListener },
  ): Promise<{ opened: OpenedSource; isFirst: boolean }> {
    const { documents, opening } = this.#deps;
    const { actor, member, vouched } = signedIn;
    const { document } = actor;
    let isFirst = false;
    const opened = await opening.filesOf({
      row,
      model: row.model ?? wanted,
      // With tokens on, an address counts only if a token gave it when the document was entered.
      fallbackUrl: vouched ? null : (command.url ?? null),
      parameters: openingOptionsIn(command),
      // An id that no token signed may be anybody's.
      person: member.nameIsFixed ? member.author.userId : '',
      knowsPassword: member.knowsPassword,
      isFor: (fileType) => this.#isFor(signedIn, fileType),
      onProgress,
      opened: (result) =>
        actor.run(async () => {
          const editorsPresent = document.editors().length > 0;
          const recorded = await documents.opened(document.key, { ...result, editorsPresent });
          // Another node may have been faster.
          const now = recorded ?? (await documents.find(document.key));
          if (now) actor.setOpen(now.state === 'open', openedAs(now, this.#deps.sealing));
          isFirst = recorded !== null;
          return recorded ? null : now;
        }),
    });
    return { opened, isFirst };
  }

  /** Whether somebody may go on with a file of a type. An editor for another kind of files is sent away. */
  #isFor({ actor, member, editorType }: SignedIn, fileType: string): boolean {
    if (!isEditor(member) || isEditorFor(fileType, editorType, actor.document)) return true;
    member.peer.dismiss(DisconnectCode.accessDeny, isForOthers(fileType), { isOtherEditors: true });
    return false;
  }

  /**
   * Whether an editor is the only one there, and the document is now of their kind of editor: somebody who only looks was
   * faster to open it, in another form.
   */
  async #isLeftTo({ actor, member }: SignedIn, wanted: string): Promise<boolean> {
    const { documents } = this.#deps;
    const { document } = actor;
    const now = await documents.find(document.key);
    if (!isEditor(member) || !now?.model || now.nextIndex > 0 || goTogether(now.model, wanted)) return false;
    if (document.editors().some(({ connectionId }) => connectionId !== member.peer.id)) return false;
    return (await documents.changeModel(document.key, wanted)) !== null;
  }

  /** Whether an editor fits the document that somebody else was faster to open. One that does not is sent away. */
  async #fitsWhatWasOpened(signedIn: SignedIn, wanted: string): Promise<boolean> {
    const { actor, member } = signedIn;
    const now = await this.#deps.documents.find(actor.document.key);
    const settled = now && (await this.#unlessPages(now, wanted));
    if (!settled?.model || !isEditor(member)) return true;
    if (!this.#isFor(signedIn, settled.fileType)) return false;
    if (goTogether(settled.model, wanted)) return true;
    const description = isOpenInOther(settled.model);
    member.peer.dismiss(DisconnectCode.accessDeny, description, { isOtherEditors: true });
    return false;
  }

  /** Pages are for looking at: editors get the form that other editors get. Null: there is no such model. */
  #wantedModel({ member }: SignedIn, command: Partial<OpenCommand>): string | null {
    const { foreignModel } = this.#deps;
    if (command.model === 'pages' && isEditor(member)) return foreignModel;
    return isOffered(command) ? modelOf(command, foreignModel) : null;
  }

  /** A document that was only looked at is opened anew in the form that an editor needs. */
  async #unlessPages(row: DocumentRow, wanted: string): Promise<DocumentRow> {
    if (row.model !== 'pages' || wanted === 'pages') return row;
    return (await this.#deps.documents.changeModel(row.key, wanted)) ?? row;
  }

  /** A document that others edit, as it is now, to look at. */
  async #pagesOf({ key }: DocumentRow): Promise<OpenedSource> {
    const { documents, conversions } = this.#deps;
    const row = await documents.find(key);
    if (!row) return { ok: false, errorCode: ServiceError.unknown };
    const made = await conversions.make({ row, of: 'document', toType: shownType, withoutPassword: true });
    return made.ok
      ? { ok: true, files: { [documentFile]: made.hash } }
      : { ok: false, errorCode: made.errorCode };
  }

  /** Whether a document is open now. One that was opened by a node that did not know of the editors here is taken back. */
  async #lookAt(actor: DocumentActor): Promise<void> {
    const { document } = actor;
    const row = await this.#deps.documents.find(document.key);
    const isOverlooked = row?.state === 'idle' && document.editors().length > 0;
    if (!row) return;
    const isOpen = isOverlooked
      ? await document.ports.lifecycle.editorIsBack(document.key)
      : row.state === 'open';
    actor.setOpen(isOpen, openedAs(row, this.#deps.sealing));
  }

  /** The model of a document, where the client takes it with the answer and it is small; undefined: it is fetched by its link. */
  async textOf(
    files: Readonly<Record<string, string>>,
    { model, takesText }: OpenCommand,
  ): Promise<string | undefined> {
    const hash = files[documentFile];
    if (!takesText || !hash || !model || !kinds.ofModel(model)) return undefined;
    const found = await this.#deps.smallFiles.find(hash);
    return found?.content?.toString();
  }

  /** Links to files of the document, by their paths, that work for as long as a session may last. */
  linksTo(
    files: Readonly<Record<string, string>>,
    { handshake }: Connection,
    docKey: string,
  ): Record<string, string> {
    const base = { baseUrl: handshake.baseUrl, routing: routingOfDocument(docKey, handshake.routing) };
    return this.#linksFor(files, base, docKey);
  }

  #linksFor(
    files: Readonly<Record<string, string>>,
    base: { baseUrl: string; routing: Routing },
    docKey: string,
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(files).map(([path, hash]) => [
        path,
        this.#deps.links.session({ docKey, hash, path }, base, 0),
      ]),
    );
  }

  /** Addresses of files of the document by their paths, in the order asked for; an empty one for what it has not. */
  async addressesOf(connection: Connection, signedIn: SignedIn, paths: readonly string[]): Promise<string[]> {
    const opened = await this.open(signedIn, {});
    if (!opened.ok) return paths.map(() => '');
    const { files } = opened;
    const known = new Set(paths.filter((path) => Object.hasOwn(files, path)));
    const asked = Object.fromEntries([...known].map((path) => [path, files[path]!]));
    const links = this.linksTo(asked, connection, signedIn.actor.document.key);
    return paths.map((path) => (known.has(path) ? links[path]! : ''));
  }
}

/** What a command says of a source that does not say enough itself (co-authoring protocol, 9.5). */
function openingOptionsIn({
  password,
  codepage,
  delimiter,
  delimiterChar,
}: Partial<OpenCommand>): OpeningOptions {
  return {
    password: password || undefined,
    encoding: numberIn(codepage),
    delimiter: numberIn(Array.isArray(delimiter) ? delimiter[0] : delimiter),
    delimiterChar: delimiterChar || undefined,
  };
}

/** Editors write numbers as numbers and as text; -1 is none. */
function numberIn(given: string | number | null | undefined): number | undefined {
  if (given === null || given === undefined || given === '') return undefined;
  const number = Number(given);
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** So many addresses are given in one answer. */
const maxPaths = 1_000;

/** The relative paths that a command or a call names; anything but a list names none. */
export function pathsOf(data: unknown): string[] {
  return Array.isArray(data) ? data.slice(0, maxPaths).map(String) : [];
}
