import { useState } from 'preact/hooks';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { WordDialogProps } from '../word-editor.ts';
import { canCheck, isPassword } from './password.ts';

/** Asks for the password that lifts the protection of the document. */
export function LiftDialog({ editor, onClose }: WordDialogProps) {
  const { password } = editor.protection;
  const [problem, setProblem] = useState('');
  const [checking, setChecking] = useState(false);
  const isCheckable = password !== null && canCheck(password);
  const check = async (text: string) => {
    if (!password) return;
    setChecking(true);
    const isRight = await isPassword(text, password);
    setChecking(false);
    if (!isRight) return setProblem(t('protection.wrongPassword'));
    onClose();
    editor.protection.lift();
  };
  return (
    <FormDialog
      title={t('protection.lift')}
      submitLabel={t('protection.lift')}
      canSubmit={isCheckable && !checking}
      onClose={onClose}
      onSubmit={(fields) => void check(String(fields.get('password')))}
    >
      {isCheckable ? (
        <label class="field">
          {t('page.password')}
          <input name="password" type="password" required autocomplete="off" />
        </label>
      ) : (
        <p>{t('protection.cannotCheck')}</p>
      )}
      <p role="status">{checking ? t('protection.checking') : problem}</p>
    </FormDialog>
  );
}
