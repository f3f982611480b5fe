/** Dialogs and bars that can be opened from anywhere. */
export type DialogName =
  | 'link'
  | 'picture'
  | 'pictureProperties'
  | 'table'
  | 'find'
  | 'spacing'
  | 'shortcuts'
  | 'wordCount'
  | 'cellShading'
  | 'rename';

/** Those that something else than a menu opens. */
export type OtherDialog = 'sharing' | 'leave' | 'download' | 'liftProtection';

/** Keys that open them. */
export const dialogKeys: Readonly<Partial<Record<DialogName, string>>> = {
  link: 'Mod-k',
  find: 'Mod-f',
  shortcuts: 'Mod-/',
};
