import { useState } from 'preact/hooks';
import type { EditorState } from 'prosemirror-state';
import { FieldError } from '../../kit/field-error.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { linkAddress, selectedLink, setLink } from '../commands/links.ts';
import { select } from '../commands/selection.ts';
import type { WordDialogProps } from '../word-editor.ts';

/** Makes a link of the selection, or changes the one at the cursor. */
export function LinkDialog({ editor, onClose }: WordDialogProps) {
  const [{ href, text }] = useState(() => whatIsThere(editor.session.state));
  const [error, setError] = useState('');
  const submit = (fields: FormData) => {
    const address = linkAddress(String(fields.get('href')));
    if (!address) return setError(t('dialogs.badAddress'));
    onClose();
    const typed = fields.get('text');
    const newText = typed === null || typed === text ? null : String(typed).trim();
    // Others may have changed the text while the dialog was open.
    const link = selectedLink(editor.session.state);
    if (link) editor.run(select(link.from, link.to));
    editor.run(setLink(editor.styles, address, newText));
  };
  return (
    <FormDialog title={t('dialogs.link')} submitLabel={t('common.ok')} onSubmit={submit} onClose={onClose}>
      {text !== null && (
        <label class="field">
          {t('dialogs.linkText')}
          <input name="text" defaultValue={text} />
        </label>
      )}
      <label class="field">
        {t('dialogs.linkAddress')}
        <input
          name="href"
          data-first
          inputMode="url"
          placeholder="https://"
          defaultValue={href}
          required
          aria-invalid={error !== ''}
          aria-describedby="link-error"
        />
      </label>
      <FieldError id="link-error" text={error} />
    </FormDialog>
  );
}

/** Address and text of the link that is there; no text where other text could not stand in its place. */
function whatIsThere(state: EditorState): { href: string; text: string | null } {
  const link = selectedLink(state);
  const { from, to } = link ?? state.selection;
  const $from = state.doc.resolve(from);
  let isText = $from.parent.inlineContent && to <= $from.end();
  state.doc.nodesBetween(from, to, (node) => {
    if (node.isInline && !node.isText) isText = false;
  });
  return { href: link?.href ?? '', text: isText ? state.doc.textBetween(from, to) : null };
}
