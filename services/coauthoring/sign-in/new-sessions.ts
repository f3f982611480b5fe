import { type AuthRequest, DisconnectCode, maxUserIdLength } from '../../../client/protocol/index.ts';
import type { DocumentRow } from '../../../db/document-row.ts';
import type { Documents } from '../../../db/documents.ts';
import type { Entered, Entry } from '../../../db/entries.ts';
import { UnknownModelError } from '../../../model/kinds.ts';
import { usualType } from '../../../model/usual-type.ts';
import type { Config } from '../../../platform/config.ts';
import { cleanText } from '../../../platform/foreign-text.ts';
import type { SourceCheck } from '../../lifecycle/source-check.ts';
import { displayName, isViewer } from '../auth/identity.ts';
import { closed } from '../document/member.ts';
import {
  type ForeignForm,
  goTogether,
  isEditorFor,
  isForOthers,
  isOpenInOther,
  modelOf,
} from '../document-model.ts';
import type { Handshake } from '../gateway/connection.ts';
import type { Attachment } from './attachment.ts';
import {
  refuse,
  refuseOtherEditor,
  refuseUnknownModel,
  type SignInAttempt,
  type SignInResult,
  sourceOf,
} from './sign-in-attempt.ts';

export interface NewSessionsDependencies {
  config: Config;
  documents: Documents;
  sourceCheck: SourceCheck;
  attachment: Attachment;
  /** The form in which editors that name no model of ours get documents. */
  foreignModel: ForeignForm;
}

/** Many who come to look at a document have its source asked for once. */
const sourceChecksApartMs = 1_000;

/** Sessions that begin: counts the opening, and settles what the document is to its editors. */
export class NewSessions {
  readonly #deps: NewSessionsDependencies;

  constructor(dependencies: NewSessionsDependencies) {
    this.#deps = dependencies;
  }

  /** A new session; `found`: the document as it was a moment ago. Runs in line with the document's other messages. */
  async enter(entrance: SignInAttempt, found: DocumentRow | null): Promise<SignInResult> {
    const { connection, request } = entrance;
    const { documents, attachment } = this.#deps;
    if (this.#isIdTooLong(request)) {
      const refused = attachment.memberOf(entrance, null, { ...nobody, connectedAtMs: Date.now() });
      return attachment.softError(entrance, refused, { code: null, description: 'User id too long' });
    }
    if (this.#isFull(entrance)) {
      throw refuse(connection, DisconnectCode.accessDeny, 'too many people have this document open');
    }
    const model = this.#modelOf(entrance);
    await this.#noticeChange(entrance, found);
    const entered = await documents.enter(this.#entryOf(entrance), { isUnknown: found === null });
    return this.#goIn(entrance, entered, model);
  }

  /**
   * A new session in a document that others edit here: it is open then, and need not be looked at first. Null where that is not
   * so after all. Runs in line with the document's other messages.
   */
  async enterOpen(entrance: SignInAttempt): Promise<SignInResult | null> {
    const { actor, request } = entrance;
    const { document } = actor;
    const isEditedHere = document.isOpen && (document.editorsHere() ?? 0) > 0;
    if (!isEditedHere || request.sessionId || this.#isIdTooLong(request) || this.#isFull(entrance))
      return null;
    const model = this.#modelOf(entrance);
    const entered = await this.#deps.documents.enterOpen(this.#entryOf(entrance));
    return entered && this.#goIn(entrance, entered, model);
  }

  #isIdTooLong({ user }: AuthRequest): boolean {
    return userIdOf(user).length > maxUserIdLength;
  }

  #isFull({ actor }: SignInAttempt): boolean {
    return actor.document.connections >= this.#deps.config.maxDocumentConnections;
  }

  #entryOf(entrance: SignInAttempt): Entry {
    const { connection, key, request, credential } = entrance;
    const editor = isNewEditor(request);
    return {
      key,
      editor,
      userId: userIdOf(request.user),
      userName: displayName(request.user ?? {}, request.lang),
      callbackUrl: request.documentCallbackUrl || null,
      ...this.#addressForIntegrator(connection.handshake, editor),
      fileType: usualType(cleanText(request.openCmd?.format ?? '').toLowerCase()),
      title: cleanText(request.openCmd?.title ?? ''),
      source: sourceOf(entrance),
      storeWithinMs: editor ? this.#storeWithinMs(request) : null,
      tokenDigest: 'digest' in credential ? credential.digest : null,
    };
  }

  /** Somebody who was counted goes in. */
  async #goIn(entrance: SignInAttempt, entered: Entered, model: string): Promise<SignInResult> {
    const { key, request } = entrance;
    const { documents, attachment } = this.#deps;
    const editor = isNewEditor(request);
    const isOver = ['delivering', 'closed', 'forgotten'].includes(entered.row.state);
    const row = editor && isOver ? await documents.reopen(key, sourceOf(entrance)) : entered.row;
    const usedUp = editor && (row.state === 'delivering' || row.state === 'closed');
    const member = attachment.memberOf(entrance, row, {
      userIndex: entered.row.userIndex,
      uniqueId: entered.uniqueId,
      connectedAtMs: Date.now(),
      callbackUrl: request.documentCallbackUrl || null,
    });
    if (usedUp) closed(member, { asViewer: true });
    refuseUnknownModel(entrance, row);
    const isChanged = editor && (await this.#settleModel(entrance, row, model));
    await attachment.update(entrance, row);
    const hasForgotten = editor && (row.fromForgotten || entered.row.state === 'forgotten');
    const how = { restored: false, isUpToDate: null, hasForgotten, usedUp };
    const result = await attachment.join(entrance, member, how);
    // Somebody who came before may be opening it.
    const isAsFound = row === entered.row && !isChanged && (row.state !== 'opening' || row.userIndex === 1);
    return isAsFound ? { ...result, found: { row, media: entered.media } } : result;
  }

  /**
   * A document that nobody edits or has changed is opened anew when its host has another file by now. Those who look at
   * the old one are sent away to open the new one.
   */
  async #noticeChange(entrance: SignInAttempt, row: DocumentRow | null): Promise<void> {
    const { actor, request } = entrance;
    const { documents, sourceCheck } = this.#deps;
    const { document } = actor;
    const others = document.connections > 0;
    if (others && Date.now() - document.sourceCheckedAtMs < sourceChecksApartMs) return;
    if (!request.openCmd || entrance.isHistory) return;
    if (row) refuseUnknownModel(entrance, row);
    if (row?.state !== 'idle') return;
    document.sourceChecked(Date.now());
    const given = sourceOf(entrance);
    const source = given.url === null ? { url: row.sourceUrl, vouched: row.sourceVouched } : given;
    if (!(await sourceCheck.hasChanged(row, source))) return;
    if (!(await documents.sourceChanged(row, source))) return;
    document.publish({ t: 'source-changed' });
    actor.notify({ t: 'source-changed' });
  }

  /**
   * The address from which the integrator fetches files here. `PUBLIC_URL` says so where it is set. Else it is what the
   * request of an editor says: editors decide what the integrator gets from there anyway. A viewer could otherwise send
   * the integrator elsewhere by a Host header.
   */
  #addressForIntegrator(
    { baseUrl, routing }: Handshake,
    editor: boolean,
  ): Pick<Entry, 'baseUrl' | 'routing'> {
    const isSettled = this.#deps.config.publicUrl !== undefined;
    return { baseUrl: editor || isSettled ? baseUrl : null, routing: editor ? routing : null };
  }

  /** Within which time changes are to be stored; null: no limit is wanted. */
  #storeWithinMs({ quireStoreWithinS }: AuthRequest): number | null {
    const { forceSaveIntervalMs, forceSaveLeastMs } = this.#deps.config;
    if (quireStoreWithinS === undefined) return forceSaveIntervalMs || null;
    return quireStoreWithinS === 0 ? null : Math.max(forceSaveLeastMs, Math.round(quireStoreWithinS * 1_000));
  }

  #modelOf({ connection, request }: SignInAttempt): string {
    try {
      return modelOf(request.openCmd ?? {}, this.#deps.foreignModel);
    } catch (error) {
      if (!(error instanceof UnknownModelError)) throw error;
      throw refuse(connection, DisconnectCode.accessDeny, error.message);
    }
  }

  /**
   * Two kinds of editors do not understand each other's changes. The type of the file decides which editors may edit it
   * at all; the first model in use, or the changes in the log, decide the model. Returns whether that was changed.
   */
  async #settleModel(
    { connection, actor, key, request }: SignInAttempt,
    row: DocumentRow,
    model: string,
  ): Promise<boolean> {
    if (row.state !== 'open' || (!request.openCmd && row.model !== 'pages')) return false;
    if (!isEditorFor(row.fileType, request.editorType, actor.document)) {
      throw refuseOtherEditor(connection, isForOthers(row.fileType));
    }
    if (row.model === model) return false;
    const isFree = row.nextIndex === 0 && actor.document.editors().length === 0;
    if (isFree && (await this.#deps.documents.changeModel(key, model))) return true;
    if (row.model !== null && goTogether(row.model, model)) return false;
    throw refuseOtherEditor(connection, isOpenInOther(row.model));
  }
}

const userIdOf = (user: AuthRequest['user']): string => cleanText(String(user?.id ?? ''));

/** Whether somebody who begins a session comes to edit. */
const isNewEditor = (request: AuthRequest): boolean =>
  !isViewer(request) && request.isCloseCoAuthoring !== true;

const nobody = { userIndex: 0, uniqueId: '', callbackUrl: null };
