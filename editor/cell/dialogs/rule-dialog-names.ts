import type { StringKey } from '../../strings/strings.ts';

/** Dialogs about the rules of sheets and workbooks, with what menus call them; they are downloaded behind the first look at the page. */
export const ruleDialogLabels = {
  sortBy: 'rules.sortBy',
  duplicates: 'rules.duplicates',
  splitText: 'rules.splitText',
  table: 'rules.table',
  conditions: 'rules.conditions',
  validation: 'rules.validation',
  names: 'rules.names',
  pasteName: 'rules.pasteName',
  links: 'links.title',
  page: 'rules.page',
  protectSheet: 'rules.protectSheet',
  protectBook: 'rules.protectBook',
} as const satisfies Record<string, StringKey>;

export type RuleDialogName = keyof typeof ruleDialogLabels;

export const isRuleDialog = (name: string): name is RuleDialogName => Object.hasOwn(ruleDialogLabels, name);
