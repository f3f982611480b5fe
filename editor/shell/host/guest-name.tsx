import { render } from 'preact';
import type { FrameConfig } from '../../frame/frame-config.ts';
import type { Role } from '../../frame/role.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';

const storageKey = 'quire-guest-name';
const longestName = 60;
/** For as long as the page lives, where it may store nothing. */
let chosen: string | null = null;

function storedName(): string | null {
  try {
    return chosen ?? localStorage.getItem(storageKey);
  } catch {
    return chosen;
  }
}

/** The empty name is an answer, too: nobody is asked twice. */
function keepName(name: string): void {
  chosen = name;
  try {
    localStorage.setItem(storageKey, name);
  } catch {
    // A frame of another site may be refused storage.
  }
}

/** The configuration of somebody who has not signed in, with the name under which others see them. */
export function withGuestName(config: FrameConfig): FrameConfig {
  const { anonymous } = config.editorConfig.customization;
  if (!config.isAnonymous) return config;
  const label = anonymous.label || t('host.guest');
  const given = anonymous.request ? storedName() : null;
  const name = given ? t('host.guestNamed', { name: given, label }) : label;
  const { editorConfig } = config;
  return { ...config, editorConfig: { ...editorConfig, user: { ...editorConfig.user, name } } };
}

/** Asks guests for their name, once in each browser, if the embedding page does not mind and others will see it. */
export async function askGuestName(
  config: FrameConfig,
  { role, liveViewer }: Role,
  place: HTMLElement,
): Promise<FrameConfig> {
  const isSeen = role !== 'view' || liveViewer;
  const { request } = config.editorConfig.customization.anonymous;
  if (config.isAnonymous && request && isSeen && config.type === 'desktop' && storedName() === null) {
    keepName(await nameFrom(place));
  }
  return withGuestName(config);
}

function nameFrom(place: HTMLElement): Promise<string> {
  return new Promise((resolve) => {
    const answer = (name: string) => {
      render(null, place);
      resolve(name.trim().slice(0, longestName));
    };
    render(
      <FormDialog
        title={t('host.guestTitle')}
        submitLabel={t('common.ok')}
        onClose={() => answer('')}
        onSubmit={(fields) => answer(String(fields.get('name')))}
      >
        <label class="field">
          {t('host.guestLabel')}
          <input name="name" maxLength={longestName} autocomplete="name" />
        </label>
      </FormDialog>,
      place,
    );
  });
}
