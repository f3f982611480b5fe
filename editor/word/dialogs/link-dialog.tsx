import { useState } from 'preact/hooks';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { linkAddress, linkAt, setLink } from '../commands/insert.ts';
import { select } from '../commands/select.ts';
import type { DialogProps } from './dialog-props.ts';

/** Makes a link of the selection, or changes the one at the cursor. */
export function LinkDialog({ editor, onClose }: DialogProps) {
  const { state } = editor.session;
  const { from, to, empty } = state.selection;
  const [found] = useState(() => (empty ? linkAt(state, from) : null));
  const range = found ?? { from, to, href: null };
  const [error, setError] = useState('');
  const submit = (fields: FormData) => {
    const href = linkAddress(String(fields.get('href')));
    if (!href) return setError(t('dialogs.badAddress'));
    onClose();
    if (found) editor.run(select(found.from, found.to));
    editor.run(setLink(href, String(fields.get('text')).trim()));
  };
  return (
    <FormDialog title={t('dialogs.link')} submitLabel={t('common.ok')} onSubmit={submit} onClose={onClose}>
      <label class="field">
        {t('dialogs.linkText')}
        <input name="text" value={state.doc.textBetween(range.from, range.to, ' ')} />
      </label>
      <label class="field">
        {t('dialogs.linkAddress')}
        <input
          name="href"
          inputMode="url"
          placeholder="https://"
          value={range.href ?? ''}
          required
          aria-invalid={error !== ''}
          aria-describedby="link-error"
        />
      </label>
      <p id="link-error" class="field-error" role="alert">
        {error}
      </p>
    </FormDialog>
  );
}
