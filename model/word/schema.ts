import { Schema } from 'prosemirror-model';
import { marks } from './marks.ts';
import { nodes } from './nodes.ts';

export type WordNodeName = keyof typeof nodes;
export type WordMarkName = keyof typeof marks;

/** The ProseMirror schema of Quire's word-processing model. Its names and attributes are part of the change format. */
export const wordSchema: Schema<WordNodeName, WordMarkName> = new Schema({ nodes, marks });
