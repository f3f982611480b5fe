import type { DocumentKind, Role } from '../../../example/api.ts';
import { type StringKey, t } from '../../strings/strings.ts';

const roleKeys: Readonly<Record<Role, StringKey>> = {
  edit: 'example.roleEdit',
  review: 'example.roleReview',
  comment: 'example.roleComment',
  view: 'example.roleView',
};

const kindKeys: Readonly<Record<DocumentKind, StringKey>> = {
  word: 'example.kindWord',
  cell: 'example.kindCell',
  slide: 'example.kindSlide',
  pdf: 'example.kindPdf',
};

/** What an account may do, in words. */
export const roleText = (role: Role): string => t(roleKeys[role]);

/** What a document is, in words. */
export const kindText = (kind: DocumentKind): string => t(kindKeys[kind]);
