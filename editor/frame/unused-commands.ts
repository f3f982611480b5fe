/**
 * How far an option, event or method of the integration API goes here. `works`: it does what its documentation says.
 * `accepted`: it is taken and changes nothing. `absent`: what it is about is not in this editor.
 */
export type Standing = 'works' | 'accepted' | 'absent';

/** Names of the integration API with how far they go, where that is not all the way. */
export type Unused = Readonly<Record<string, Exclude<Standing, 'works'>>>;

/** The names of a text, which blanks separate, each behind the same start. */
export const named = (standing: 'accepted' | 'absent', start: string, names: string): Unused =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [start + name, standing]),
  );

/** The methods of which nothing comes, by their commands (integration API, 5.2). */
export const unusedCommands: Unused = {
  ...named(
    'absent',
    '',
    `internalCommand openDocumentFromBinary processMailMerge requestRoles setEmailAddresses setMailMergeRecipients
    setRequestedSpreadsheet startFilling`,
  ),
  // The embedding page's script sends it of its own accord, for drags that end outside; here none needs that.
  processMouse: 'accepted',
};
