import { EditorType, type OpenCommand } from '../../client/protocol/index.ts';
import { type DocumentForm, isForm, kinds, UnknownModelError } from '../../model/kinds.ts';

/** The form for editors that name no model of ours: binary where x2t is installed to read the changes, else opaque. */
export type ForeignForm = Exclude<DocumentForm, 'pages'>;

/** Whether there is the model that a client names, if it names one. */
export const isOffered = ({ model }: Pick<OpenCommand, 'model'>): boolean =>
  !model || model === 'pages' || kinds.ofModel(model) !== undefined;

/**
 * What a client works on: a model of ours if it names one, pages if it only looks, else the form of editors of others.
 * @throws UnknownModelError
 */
export function modelOf(command: Pick<OpenCommand, 'model'>, foreign: ForeignForm): string {
  const { model } = command;
  if (!isOffered(command)) throw new UnknownModelError(String(model), [...kinds.models, 'pages']);
  return model || foreign;
}

/**
 * Whether editors of two models or forms understand each other's changes. A document that was begun before x2t was
 * installed, or removed, goes on in the form that its changes are made for.
 */
export const goTogether = (one: string, other: string): boolean =>
  one === other || (isForm(one) && isForm(other));

/** What a document says of the editors that have it open. */
interface EditorsThere {
  /** That of the first of them. */
  readonly editorType: number;
  editors(): readonly unknown[];
}

/**
 * Whether an editor of this type may edit files of a type. A file type that is not known is for any editor. Type 0, which
 * clients also say that know no other (load tests), is for any file while nobody of another type edits it.
 */
export function isEditorFor(
  fileType: string,
  editorType: number | null | undefined,
  there: EditorsThere,
): boolean {
  const possible = kinds.ofType(fileType);
  const given = editorType ?? EditorType.text;
  if (possible.length === 0 || possible.some((kind) => kind.editorType === given)) return true;
  return given === EditorType.text && (there.editors().length === 0 || there.editorType === given);
}

/** The type of editor by whose rules locks of a file of this type conflict; null where the type leaves it open. */
export function lockRulesOf(fileType: string): number | null {
  const types = new Set(kinds.ofType(fileType).map((kind) => kind.editorType));
  const [only = null] = types;
  return types.size === 1 ? only : null;
}

/** The reasons by which an editor of another kind is refused. */
export const isOpenInOther = (model: string | null): string =>
  `The document is open in another kind of editor (${model}).`;

export const isForOthers = (fileType: string): string =>
  `The document is a file of type ${fileType}, which is for another kind of editor.`;
