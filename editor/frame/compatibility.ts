import { named, type Standing, type Unused } from './unused-commands.ts';

/** The documented options that do not work (integration API, section 4); all others of the schemas do. */
export const unusedOptions: Unused = {
  ...named('accepted', 'document.', 'isForm options vkey info.folder info.owner info.uploaded'),
  ...named('accepted', 'document.permissions.', 'modifyContentControl userInfoGroups'),
  ...named('accepted', 'editorConfig.', 'canCoAuthoring tenant user.image user.roles'),
  ...named('accepted', 'editorConfig.', 'embedded.autostart templates[].image'),
  ...named('absent', 'editorConfig.', 'fileChoiceUrl mergeFolderUrl plugins saveAsUrl sharingSettingsUrl'),
  ...named(
    'accepted',
    'editorConfig.customization.',
    `about compactHeader compatibleFeatures customer features.featuresTips features.tabBackground features.tabStyle font
    forcesave forceWesternFontSize hideNotes hideRightMenu hideRulers integrationMode layout loaderLogo loaderName
    logo.imageEmbedded mentionShare mobile pointerMode review.hoverMode reviewPermissions showHorizontalScroll
    showVerticalScroll slidePlayerBackground suggestFeature unit wordHeadingsColor`,
  ),
  ...named(
    'absent',
    'editorConfig.customization.',
    'features.roles macros macrosMode plugins startFillingForm submitForm',
  ),
};

/** The documented events that never come (integration API, 5.1). */
export const unusedEvents: Unused = named(
  'absent',
  '',
  `onBack onPluginsReady onRequestEmailAddresses onRequestFillingStatus onRequestMailMergeRecipients
  onRequestSelectSpreadsheet onRequestStartFilling
  onRequestStartMailMerge onSaveDocument onStartFilling onSubmit onUserActionRequired`,
);

/** The names of commands that are other methods of `DocsAPI.DocEditor`, or none. */
const methodNames: Readonly<Record<string, string | null>> = {
  processMouse: null,
  applyEditRights: null,
  internalCommand: 'serviceCommand',
  openDocumentFromBinary: 'openDocument',
};

/** The method that sends a command; null where the script sends it by itself. */
export const methodOf = (command: string): string | null =>
  Object.hasOwn(methodNames, command) ? methodNames[command]! : command;

/** Options that the embedding page's script writes or reads, whatever the page says. */
const written = /^editorConfig\.(?:can[A-Z]\w*|customization\.about|wopi)$/;

/** Why an option of the page changes nothing: it is known to, or nobody knows it. */
interface UnusedOption {
  readonly path: string;
  readonly standing: Exclude<Standing, 'works'> | 'unknown';
}

/**
 * The options of an object that change nothing here. `known` has the paths of those that are read. What is switched off
 * and is not there is as the page wants it.
 */
export function unusedOptionsIn(value: unknown, path: string, known: ReadonlySet<string>): UnusedOption[] {
  if (value === undefined || value === null || value === '' || written.test(path)) return [];
  const standing = Object.hasOwn(unusedOptions, path) ? unusedOptions[path]! : null;
  if (standing !== null) return standing === 'absent' && value === false ? [] : [{ path, standing }];
  if (!known.has(path)) return [{ path, standing: 'unknown' }];
  if (Array.isArray(value)) {
    if (!known.has(`${path}[]`)) return [];
    const found = value.flatMap((entry: unknown) => unusedOptionsIn(entry, `${path}[]`, known));
    return found.filter(({ path: one }, index) => found.findIndex((other) => other.path === one) === index);
  }
  const isSection = typeof value === 'object' && [...known].some((one) => one.startsWith(`${path}.`));
  if (!isSection) return [];
  return Object.entries(value).flatMap(([name, inner]) => unusedOptionsIn(inner, `${path}.${name}`, known));
}
