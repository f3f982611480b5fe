import type { OpenCommand } from '../../client/protocol/index.ts';
import type { DocumentModel } from '../../db/document-row.ts';

/** A form that is no model of ours: binary where x2t is there to read changes to it, else opaque. */
export type ForeignModel = Exclude<DocumentModel, 'word' | 'pages'>;

/** The model a client works on: ours if it names one of ours, else the one of other editors. */
export function modelOf(command: Pick<OpenCommand, 'model'>, foreign: ForeignModel): DocumentModel {
  return command.model === 'word' || command.model === 'pages' ? command.model : foreign;
}
