import type { ComponentType } from 'preact';
import { texts } from '../../strings/en/rule-dialogs.ts';
import { addLaterTexts } from '../../strings/strings.ts';
import { ConditionsDialog } from './conditions/conditions-dialog.tsx';
import { DuplicatesDialog, SortDialog, SplitDialog } from './data-dialogs.tsx';
import { LinksDialog } from './links-dialog.tsx';
import { NamesDialog } from './names-dialog.tsx';
import { PageDialog } from './page/page-dialog.tsx';
import { PasteNameDialog } from './paste-name-dialog.tsx';
import { ProtectBookDialog, ProtectSheetDialog } from './protection-dialogs.tsx';
import type { RuleDialogProps } from './rule-dialog.ts';
import type { RuleDialogName } from './rule-dialog-names.ts';
import { TableDialog } from './table-dialog.tsx';
import { ValidationDialog } from './validation/validation-dialog.tsx';
import './rule-dialogs.css';

await addLaterTexts(texts, {
  de: () => import('../../strings/de/rule-dialogs.ts'),
  ar: () => import('../../strings/ar/rule-dialogs.ts'),
});

const ruleDialogs: Readonly<Record<RuleDialogName, ComponentType<RuleDialogProps>>> = {
  sortBy: SortDialog,
  duplicates: DuplicatesDialog,
  splitText: SplitDialog,
  table: TableDialog,
  conditions: ConditionsDialog,
  validation: ValidationDialog,
  names: NamesDialog,
  pasteName: PasteNameDialog,
  links: LinksDialog,
  page: PageDialog,
  protectSheet: ProtectSheetDialog,
  protectBook: ProtectBookDialog,
};

/** One of the dialogs about rules, by its name. */
export function RuleDialog({ name, ...props }: RuleDialogProps & { readonly name: RuleDialogName }) {
  const Dialog = ruleDialogs[name];
  return <Dialog {...props} />;
}
