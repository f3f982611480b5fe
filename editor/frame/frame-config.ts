import * as z from 'zod/mini';
import { noPermissions } from '../../client/protocol/permissions.ts';
import { isAbsent, membersIn } from '../../client/protocol/plain-values.ts';
import { type KindName, kindNames } from '../../model/kinds.ts';
import { type DocumentConfig, documentSchema } from './document-config.ts';
import { type EditorConfig, editorConfigSchema } from './editor-config.ts';
import { choice, section } from './fields.ts';

/** What the address of the frame says, known before the page has sent anything. */
const addressSchema = section({
  type: choice(['desktop', 'mobile', 'embedded'], 'desktop'),
  documentType: choice(kindNames, 'word'),
});

/** Everything that the embedding page asks for. Every field has its right type, whatever was sent. */
export interface FrameConfig {
  type: 'desktop' | 'mobile' | 'embedded';
  documentType: KindName;
  document: DocumentConfig;
  editorConfig: EditorConfig;
  /** Nobody has signed in: the id is made up, the name may be asked for. */
  isAnonymous: boolean;
  /**
   * `document.permissions` as it came, and nothing allowed where that cannot be read. The server compares it with the token,
   * where absent and a default are different things.
   */
  givenPermissions: Readonly<Record<string, unknown>> | undefined;
}

/** Beside the two messages: the query of the frame's address, and an id for somebody who has none. */
interface FrameSurroundings {
  query?: URLSearchParams;
  guestId?: () => string;
}

/** Reads what `init` and `openDocument` carried. Never throws; wrong types count as absent. */
export function readFrameConfig(
  init: unknown,
  doc: unknown,
  { query = new URLSearchParams(), guestId = () => 'guest' }: FrameSurroundings = {},
): FrameConfig {
  const { type, documentType } = z.parse(addressSchema, Object.fromEntries(query));
  const editorConfig = z.parse(editorConfigSchema, init);
  const document = z.parse(documentSchema, doc);
  const { user } = editorConfig;
  const isAnonymous = user.id === '' && nameOf(user) === '';
  editorConfig.user = { ...user, id: user.id || guestId(), name: nameOf(user) };
  return { type, documentType, document, editorConfig, isAnonymous, givenPermissions: permissionsIn(doc) };
}

/** The whole configuration of `refreshFile`, in which the page gives a newer version of the document. */
export function readRefreshedConfig(data: unknown, surroundings: FrameSurroundings = {}): FrameConfig {
  const { editorConfig, document } = z.parse(wholeSchema, data);
  return readFrameConfig(editorConfig, document, surroundings);
}

/** The two parts of a whole configuration, which have schemas of their own. */
export const wholeSchema = section({
  editorConfig: z.catch(z.unknown(), undefined),
  document: z.catch(z.unknown(), undefined),
});

const nameOf = ({ name, firstname, lastname }: EditorConfig['user']): string =>
  name || [firstname, lastname].filter(Boolean).join(' ');

function permissionsIn(doc: unknown): FrameConfig['givenPermissions'] {
  const given = (doc as { permissions?: unknown } | null | undefined)?.permissions;
  return isAbsent(given) ? undefined : (membersIn(given) ?? noPermissions);
}
