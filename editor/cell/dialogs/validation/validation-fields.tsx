import { InputField } from '../../../kit/input-field.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { t } from '../../../strings/strings.ts';
import type { Validation } from '../../commands/validation.ts';
import { CheckField } from '../check-field.tsx';
import { shownBound, type ValidationType } from './typed-validation.ts';

interface FieldsProps {
  /** The rule as it is, if there is one. */
  before: Validation | null;
}

interface BoundsProps extends FieldsProps {
  type: ValidationType;
  /** How many values are asked for. */
  count: number;
  locale: string;
}

function labelOfValue(type: ValidationType): string {
  if (type === 'list') return t('ruleDialogs.source');
  return t(type === 'custom' ? 'ruleDialogs.formula' : 'ruleDialogs.value');
}

/** What an entry is compared with, or the list that it is one of. */
export function ValidationBounds({ before, type, count, locale }: BoundsProps) {
  const field = (name: string, at: number, label: string) => (
    <InputField
      key={`${name} ${type}`}
      label={label}
      name={name}
      defaultValue={shownBound(before, at, { type, locale })}
      spellcheck={false}
    />
  );
  return (
    <>
      <div class={count > 1 ? 'field-row' : ''}>
        {field('one', 0, labelOfValue(type))}
        {count > 1 && field('two', 1, t('ruleDialogs.secondValue'))}
      </div>
      {type === 'list' && <small>{t('ruleDialogs.sourceHelp')}</small>}
    </>
  );
}

const styles = ['stop', 'warning', 'information'] as const;

/** What is left open by a rule, and what is said beside its cells and to who types something else. */
export function ValidationWords({ before, isList }: FieldsProps & { isList: boolean }) {
  const style = before?.style ?? 'stop';
  return (
    <>
      <CheckField
        label={t('ruleDialogs.allowsBlank')}
        name="allowsBlank"
        isOn={before?.allowsBlank !== false}
      />
      {isList && (
        <CheckField
          label={t('ruleDialogs.showsArrow')}
          name="showsArrow"
          isOn={before?.hidesArrow !== true}
        />
      )}
      <Sentence before={before} title="promptTitle" text="prompt" mostChars={255} />
      <SelectField
        label={t('ruleDialogs.whenWrong')}
        name="style"
        options={styles.map((name) => [name, t(`ruleDialogs.style_${name}`)])}
        first={style}
      />
      <Sentence before={before} title="errorTitle" text="error" mostChars={225} />
    </>
  );
}

interface SentenceProps extends FieldsProps {
  title: 'promptTitle' | 'errorTitle';
  text: 'prompt' | 'error';
  /** As long as files may have it. */
  mostChars: number;
}

/** Something that is said to people, and its title. */
function Sentence({ before, title, text, mostChars }: SentenceProps) {
  const field = (name: SentenceProps['title' | 'text'], maxLength: number) => (
    <InputField
      {...{ name, maxLength }}
      label={t(`ruleDialogs.${name}`)}
      defaultValue={before?.[name] ?? ''}
    />
  );
  return (
    <div class="field-row">
      {field(title, 32)}
      {field(text, mostChars)}
    </div>
  );
}
