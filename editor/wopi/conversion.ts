import { routingIn } from '../frame/server-address.ts';
import { t } from '../strings/strings.ts';
import { showSentence } from './problem-page.ts';
import { pageToken } from './server.ts';

const askEveryMs = 1_000;
/** So many times in a row the server may be silent. */
const mostFailures = 30;

interface Progress {
  end: boolean;
  url?: string;
  error?: string;
}

/** Waits until the server has converted the file, and goes to the page of the new one (integration API, 13.6). */
export async function followConversion(): Promise<void> {
  showSentence(t('wopi.converting'));
  for (let failures = 0; failures < mostFailures; ) {
    const progress = await ask();
    if (progress?.url && /^https?:/.test(progress.url)) return goTo(progress.url);
    if (progress?.end) return showSentence(t('wopi.notConverted'), progress.error ?? '');
    failures = progress === null ? failures + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
  showSentence(t('wopi.notConverted'), t('wopi.hostUnreachable'));
}

async function ask(): Promise<Progress | null> {
  try {
    const query = new URLSearchParams({ ...routingIn(location.search), token: pageToken() });
    return (await (await fetch(`../../convert-and-edit-handler?${query}`)).json()) as Progress;
  } catch {
    return null;
  }
}

/** The page of the new file is one of the host's: it takes the place of the one that frames us. */
function goTo(url: string): void {
  try {
    (window.top ?? window).location.href = url;
  } catch {
    location.href = url;
  }
}
