import { search } from 'prosemirror-search';
import 'prosemirror-search/style/search.css';
import type { Feature } from '../word-editor.ts';

/** Marks what is searched for; the bar sets the query. */
export const findFeature: Feature = () => [search()];
