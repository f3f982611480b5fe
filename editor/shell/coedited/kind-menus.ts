import type { MenuEntry } from '../../kit/menu.tsx';
import type { StringKey } from '../../strings/strings.ts';
import type { BarMenu } from '../bars/menu-bar.tsx';
import { coeditingEntries } from '../bars/page-entries.ts';
import type { CoeditedDocument } from '../document-editor.ts';

/** What a menu of a kind has. */
export type EntriesOf<E> = (editor: E) => readonly MenuEntry[];

/** The menus of a kind, by their names. */
export type KindMenus<E> = readonly (readonly [label: StringKey, entries: EntriesOf<E>])[];

/** The menus of the menu bar; without help where the embedding page has its own. */
export function barMenus<E extends CoeditedDocument>(editor: E, menus: KindMenus<E>): BarMenu[] {
  const { help } = editor.config.editorConfig.customization;
  return menus
    .filter(([label]) => label !== 'toolbar.help' || help)
    .map(([label, entries]) => ({ label, entries: () => entries(editor) }));
}

/** The one menu of a phone: what some menus have, and how one edits together. */
export const compactEntries = <E extends CoeditedDocument>(
  editor: E,
  file: EntriesOf<E>,
  view: EntriesOf<E>,
): MenuEntry[] => [
  ...file(editor),
  'separator',
  ...view(editor),
  ...(editor.role.canEdit ? (['separator', ...coeditingEntries(editor)] as const) : []),
];
