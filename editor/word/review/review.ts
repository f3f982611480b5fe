import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isHistoryTransaction } from 'prosemirror-history';
import type { Transaction } from 'prosemirror-state';
import type { WordSession } from '../../../client/word/word-session.ts';
import type { WordDocumentJson } from '../../../model/word/document.ts';
import type { DocumentRights } from '../../../model/word/rights/document-rights.ts';
import { controlInTheWay } from '../../../model/word/rights/held-controls.ts';
import type { FrameConfig } from '../../frame/frame-config.ts';
import type { Role } from '../../frame/role.ts';
import { joinUserName } from '../../frame/user-name.ts';
import { announce } from '../../kit/announce.tsx';
import { notify } from '../../kit/notices.tsx';
import { type CommentRights, commentRights } from '../../shell/comments/document-comments.ts';
import { TypedAhead } from '../../shell/comments/typed-ahead.ts';
import { t } from '../../strings/strings.ts';
import type { DocumentProtection } from '../protection/document-protection.ts';
import { maySettle } from './review-rights.ts';
import type { TrackedChange } from './tracking/changes.ts';
import { FileRevisions } from './tracking/file-revisions.ts';
import { type Decision, isExemptFromTracking, revisionOf } from './tracking/revision.ts';
import { track } from './tracking/track.ts';
import { untracked } from './tracking/untracked.ts';

/** How tracked changes are shown. `simple` is `final` with a bar beside what was changed. */
export const displays = ['markup', 'simple', 'final', 'original'] as const;
export type Display = (typeof displays)[number];

/** What becomes of a transaction of this person: the same, another one that has its place, or nothing. */
export type TransactionTransform = (transaction: Transaction) => Transaction | null;

/** As much of an editor as the review of its document acts on. */
export interface ReviewedDocument {
  readonly config: FrameConfig;
  readonly session: WordSession;
  readonly document: WordDocumentJson;
  readonly role: Role;
  readonly rights: DocumentRights;
  readonly protection: Pick<DocumentProtection, 'kind'>;
  /** Name of the panel beside the document. */
  readonly panel: Signal<string | null>;
  readonly transforms: TransactionTransform[];
}

/** What somebody's review of a document is about: whether their changes are tracked, how changes are shown. */
export class Review {
  /** The name that stands beside this person's changes and comments: with groups in front, as participants have it. */
  readonly author: string;
  readonly tracks: ReadonlySignal<boolean>;
  readonly display: Signal<Display>;
  /** `ref` of the thread of comments that is looked at. */
  readonly thread: Signal<string | null> = signal(null);
  readonly typedAhead = new TypedAhead();
  readonly #editor: ReviewedDocument;
  /** Tracked changes of the file that the model has no marks for. */
  readonly fileRevisions: FileRevisions;
  readonly #tracks: Signal<boolean>;

  constructor(editor: ReviewedDocument) {
    const { config, document } = editor;
    const { user, customization } = config.editorConfig;
    const { review } = customization;
    this.#editor = editor;
    this.fileRevisions = new FileRevisions(document);
    // The name that the server has checked; an older server has checked none.
    this.author =
      editor.session.client.authReply?.quireAuthor?.name ??
      (joinUserName(user.group, user.name).slice(0, 255) || t('review.anonymous'));
    this.#tracks = signal(review.trackChanges ?? document.settings.trackChanges);
    this.tracks = computed(() => editor.role.role === 'review' || this.#tracks.value);
    this.display = signal(review.reviewDisplay);
    editor.transforms.push((transaction) => this.#transformed(transaction));
    if (review.showReviewChanges) editor.panel.value = 'changes';
  }

  /** Reviewers cannot switch tracking off. */
  get maySwitch(): boolean {
    return this.#editor.role.role === 'edit' && this.#editor.role.canReview;
  }

  switchTracking(): void {
    if (!this.maySwitch) return;
    this.#tracks.value = !this.#tracks.value;
    announce(this.#tracks.value ? t('review.nowTracked') : t('review.nowUntracked'));
  }

  /** Tracked changes that only the file holds are settled by editors alone: for everybody else replicas take nothing but marks. */
  maySettle(decision: Decision, { author, isOfFile }: Pick<TrackedChange, 'author' | 'isOfFile'>): boolean {
    const { role, config } = this.#editor;
    if (isOfFile && role.role !== 'edit') return false;
    return maySettle(decision, author, this.author, role, config.document.permissions);
  }

  rightsOn(author: string): CommentRights {
    const { role, config } = this.#editor;
    return commentRights(author, this.author, role, config.document.permissions);
  }

  /** What is dispatched for a change of this person; null for nothing, and they are told why. */
  #transformed(transaction: Transaction): Transaction | null {
    if (!transaction.docChanged) return transaction;
    const { role, session } = this.#editor;
    if (!role.canEdit && !role.canComment && role.role !== 'fill') return null;
    const made = role.canEdit ? this.#recorded(transaction) : transaction;
    if (!made.docChanged) return made;
    const control = this.#controlInTheWay(made);
    if (control === null && (role.role === 'edit' || session.mayMake(made))) return made;
    notify({ text: this.#reason(control), kind: 'info', topic: 'not-allowed' });
    return null;
  }

  #controlInTheWay({ steps, docs, doc }: Transaction): string | null {
    const { rights } = this.#editor;
    for (const at of steps.keys()) {
      const control = controlInTheWay(docs[at]!, docs[at + 1] ?? doc, rights);
      if (control !== null) return control;
    }
    return null;
  }

  #reason(control: string | null): string {
    const { role, rights, protection } = this.#editor;
    if (control !== null) return t(`protection.control_${rights.held.get(control) ?? 'stays'}`);
    const kind = protection.kind.peek();
    if (kind !== null) return t(`protection.${kind}`);
    return role.role === 'edit' ? t('saving.notAllowed') : t(`review.only_${role.role}`);
  }

  #recorded(transaction: Transaction): Transaction {
    const { role, session } = this.#editor;
    if (isExemptFromTracking(transaction) || isHistoryTransaction(transaction)) return transaction;
    if (!this.tracks.peek()) return untracked(session.state, transaction);
    const revision = revisionOf(this.author, Date.now());
    return track(session.state, transaction, { revision, removesBlocks: role.role !== 'review' });
  }
}
