import { useState } from 'preact/hooks';
import { NodeSelection } from 'prosemirror-state';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import { setPicture } from '../commands/picture.ts';
import type { WordDialogProps } from '../word-editor.ts';

/** English Metric Units to the centimetre. */
const emuPerCm = 360_000;

const shownCm = (emu: number): number => Math.round((emu / emuPerCm) * 100) / 100;

/** Description and size of the selected picture. */
export function PicturePropertiesDialog({ editor, onClose }: WordDialogProps) {
  const [picture] = useState(() => {
    const { selection } = editor.session.state;
    return selection instanceof NodeSelection ? selection.node.attrs : {};
  });
  const was = { width: shownCm(Number(picture.width ?? 0)), height: shownCm(Number(picture.height ?? 0)) };
  const follow = (event: InputEvent & { currentTarget: HTMLInputElement }) => {
    const { form, name, valueAsNumber } = event.currentTarget;
    const keeps = form?.elements.namedItem('proportions') as HTMLInputElement | null;
    if (!keeps?.checked || !(valueAsNumber > 0) || was.width === 0 || was.height === 0) return;
    const [own, other] = name === 'width' ? (['width', 'height'] as const) : (['height', 'width'] as const);
    const field = form?.elements.namedItem(other) as HTMLInputElement;
    field.value = String(Math.round(((valueAsNumber * was[other]) / was[own]) * 100) / 100);
  };
  const side = (name: 'width' | 'height', label: string) => (
    <label class="field">
      {label}
      <input
        type="number"
        name={name}
        min={0.05}
        max={100}
        step="any"
        defaultValue={String(was[name])}
        required
        onInput={follow}
      />
    </label>
  );
  return (
    <FormDialog
      title={t('dialogs.pictureProperties')}
      submitLabel={t('common.ok')}
      onClose={onClose}
      onSubmit={(fields) => {
        onClose();
        const changed = (name: 'width' | 'height') => {
          const cm = Number(fields.get(name));
          return cm === was[name] ? {} : { [name]: Math.round(cm * emuPerCm) };
        };
        editor.run(
          setPicture({ alt: String(fields.get('alt')).trim(), ...changed('width'), ...changed('height') }),
        );
      }}
    >
      <label class="field">
        {t('dialogs.alternativeText')}
        <textarea name="alt" rows={3} maxLength={4000} defaultValue={picture.alt} />
      </label>
      <div class="field-row">
        {side('width', t('dialogs.width'))}
        {side('height', t('dialogs.height'))}
      </div>
      <label>
        <input type="checkbox" name="proportions" defaultChecked /> {t('dialogs.keepProportions')}
      </label>
    </FormDialog>
  );
}
