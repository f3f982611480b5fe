import { t } from '../../../strings/strings.ts';
import type { ConditionDraft } from '../../commands/conditions.ts';
import { CheckField } from '../check-field.tsx';
import { ColorField } from './color-field.tsx';
import { lookOf, type Theme } from './condition-look.ts';

/** What cells look like by a rule, and whether later rules count. */
export function LookFields({ draft: { format, stops }, theme }: { draft: ConditionDraft; theme: Theme }) {
  const { fill, font } = lookOf(format, theme);
  return (
    <fieldset class="rule-checks">
      <legend>{t('ruleDialogs.look')}</legend>
      <div class="field-row">
        <ColorField
          name="fill"
          label={t('sheet.fillColor')}
          color={fill ?? '#ffc7ce'}
          isOn={!format || fill !== null}
        />
        <ColorField
          name="font"
          label={t('ruleDialogs.fontColor')}
          color={font ?? '#9c0006'}
          isOn={!format || font !== null}
        />
      </div>
      <CheckField name="bold" label={t('actions.bold')} isOn={format?.font?.bold === true} />
      <CheckField name="italic" label={t('actions.italic')} isOn={format?.font?.italic === true} />
      <CheckField name="stops" label={t('ruleDialogs.stops')} isOn={stops === true} />
    </fieldset>
  );
}
