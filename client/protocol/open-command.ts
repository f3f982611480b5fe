import * as z from 'zod/mini';
import {
  boundedJson,
  idText,
  ifReadable,
  maybe,
  maybeFlag,
  maybeInteger,
  plainText,
  text,
} from './fields.ts';
import { fieldBounds } from './limits.ts';

const shortText = text(fieldBounds.shortText);
/** Editors of 9.3 name delimiters as a list, which has one. */
const delimiters = z.array(z.nullable(z.int())).check(z.maxLength(fieldBounds.delimiters));

/**
 * `auth.openCmd` and `openDocument.message`: what to open or do. `c` is the command (`open`, `reopen`,
 * `imgurls`, `pathurl`, `pathurls`, `setpassword`, `changedocinfo`). Fields that no client may set (request
 * authorization, external change info, WOPI parameters, origin format) are dropped like any unknown field.
 *
 * `model` is a Quire extension: the editor model the client works on (`word`, `cell`, `slide`), or `pages` for a PDF to
 * look at. With `takesText`, another one, it takes a small model with the answer, which spares it a request.
 */
export const openCommandSchema = z.object({
  c: shortText,
  id: maybe(plainText(fieldBounds.docId)),
  userid: maybe(idText),
  format: ifReadable(plainText(fieldBounds.shortText)),
  url: maybe(plainText(fieldBounds.url)),
  title: ifReadable(plainText(fieldBounds.title)),
  lcid: maybeInteger,
  nobase64: maybeFlag,
  outputformat: maybeInteger,
  convertToOrigin: maybe(shortText),
  password: maybe(text(fieldBounds.password)),
  savepassword: maybe(text(fieldBounds.password)),
  codepage: maybe(z.union([z.int(), shortText])),
  delimiter: maybe(z.union([z.int(), shortText, delimiters])),
  delimiterChar: maybe(shortText),
  data: z.optional(boundedJson),
  savetype: maybeInteger,
  saveindex: maybeInteger,
  savekey: maybe(shortText),
  username: maybe(text(fieldBounds.userName)),
  userconnectionid: maybe(shortText),
  tokenDownload: maybe(text(fieldBounds.token)),
  tokenSession: maybe(text(fieldBounds.token)),
  serverVersion: maybe(shortText),
  isSaveAs: maybeFlag,
  saveAsPath: maybe(text(fieldBounds.title)),
  oformAsPdf: maybeFlag,
  inline: maybe(z.union([z.boolean(), z.int()])),
  withoutPassword: maybeFlag,
  jsonparams: z.optional(boundedJson),
  model: maybe(shortText),
  takesText: maybeFlag,
});
export type OpenCommand = z.infer<typeof openCommandSchema>;

/** The name under which a client finds the document itself among the files of a `documentOpen`. */
export const documentFile = 'Editor.bin';
