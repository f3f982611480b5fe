/** Dialogs and bars that can be opened from anywhere. */
export type DialogName =
  | 'link'
  | 'picture'
  | 'table'
  | 'find'
  | 'spacing'
  | 'shortcuts'
  | 'wordCount'
  | 'cellShading'
  | 'rename';

/** Keys that open them. */
export const dialogKeys: Readonly<Partial<Record<DialogName, string>>> = {
  link: 'Mod-k',
  find: 'Mod-f',
  shortcuts: 'Mod-/',
};
