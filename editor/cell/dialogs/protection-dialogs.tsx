import { useState } from 'preact/hooks';
import { isProvable } from '../../../model/cell/protection-password.ts';
import { type SheetAct, sheetActs } from '../../../model/cell/workbook.ts';
import { FieldError } from '../../kit/field-error.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { InputField } from '../../kit/input-field.tsx';
import { t } from '../../strings/strings.ts';
import {
  isProtected,
  type Protected,
  passwordOf,
  protectBook,
  protectSheet,
  unprotect,
} from '../commands/protecting.ts';
import { CheckField } from './check-field.tsx';
import type { RuleDialogProps } from './rule-dialog.ts';

/** What Excel leaves to people unless told otherwise. */
const usual: readonly SheetAct[] = ['selectLocked', 'selectUnlocked'];

/** Protects the sheet that is shown, or takes its protection off. */
export function ProtectSheetDialog({ editor, onClose }: RuleDialogProps) {
  const [wasProtected] = useState(() => isProtected(editor, 'sheet'));
  if (wasProtected) return <UnprotectDialog editor={editor} onClose={onClose} what="sheet" />;
  const range = editor.selectionName;
  return (
    <ProtectDialog
      title={t('rules.protectSheet')}
      help={t('ruleDialogs.sheetHelp')}
      onClose={onClose}
      onProtect={async (password, fields) => {
        const allows = sheetActs.filter((act) => fields.has(act));
        await protectSheet(editor, allows, password, fields.has('leaveOpen'));
      }}
    >
      <fieldset class="rule-checks">
        {sheetActs.map((act) => (
          <CheckField key={act} name={act} label={t(`ruleDialogs.act_${act}`)} isOn={usual.includes(act)} />
        ))}
      </fieldset>
      <CheckField name="leaveOpen" label={t('ruleDialogs.leaveOpen', { range })} />
    </ProtectDialog>
  );
}

export function ProtectBookDialog({ editor, onClose }: RuleDialogProps) {
  const [wasProtected] = useState(() => isProtected(editor, 'book'));
  if (wasProtected) return <UnprotectDialog editor={editor} onClose={onClose} what="book" />;
  return (
    <ProtectDialog
      title={t('rules.protectBook')}
      help={t('ruleDialogs.bookHelp')}
      onClose={onClose}
      onProtect={async (password) => {
        await protectBook(editor, password);
      }}
    />
  );
}

interface ProtectDialogProps {
  title: string;
  help: string;
  onClose: () => void;
  onProtect: (password: string, fields: FormData) => Promise<void>;
  children?: preact.ComponentChildren;
}

function ProtectDialog({ title, help, onClose, onProtect, children }: ProtectDialogProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (fields: FormData) => {
    const password = String(fields.get('password'));
    if (password !== String(fields.get('again'))) return setProblem(t('ruleDialogs.passwordsDiffer'));
    setIsBusy(true);
    await onProtect(password, fields);
    onClose();
  };
  return (
    <FormDialog
      title={title}
      submitLabel={title}
      canSubmit={!isBusy}
      onClose={onClose}
      onSubmit={(fields) => void submit(fields)}
    >
      <p>{help}</p>
      {children}
      <div class="field-row">
        <InputField
          label={t('ruleDialogs.passwordOptional')}
          name="password"
          type="password"
          autocomplete="new-password"
          data-first
        />
        <InputField
          label={t('ruleDialogs.passwordAgain')}
          name="again"
          type="password"
          autocomplete="new-password"
        />
      </div>
      <FieldError text={problem} />
    </FormDialog>
  );
}

function UnprotectDialog({ editor, onClose, what }: RuleDialogProps & { what: Protected }) {
  const title = t(what === 'book' ? 'ruleDialogs.unprotectBook' : 'ruleDialogs.unprotectSheet');
  const password = passwordOf(editor, what);
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const canProve = password === null || isProvable(password);
  const submit = async (text: string) => {
    setIsBusy(true);
    setProblem('');
    const isDone = await unprotect(editor, what, text);
    setIsBusy(false);
    if (isDone) onClose();
    else setProblem(t('protection.wrongPassword'));
  };
  return (
    <FormDialog
      title={title}
      submitLabel={title}
      canSubmit={canProve && !isBusy}
      onClose={onClose}
      onSubmit={(fields) => void submit(String(fields.get('password') ?? ''))}
    >
      {!canProve && <p>{t('protection.cannotCheck')}</p>}
      {canProve && password !== null && (
        <InputField label={t('page.password')} name="password" type="password" required autocomplete="off" />
      )}
      {password === null && <p>{t(what === 'book' ? 'rules.structureProtected' : 'sheet.protected')}</p>}
      <FieldError text={isBusy ? t('protection.checking') : problem} />
    </FormDialog>
  );
}
