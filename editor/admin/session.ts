import { signal } from '@preact/signals';
import type { SessionAnswer } from '../../services/admin/api.ts';
import { notify } from '../kit/notices.tsx';
import { t } from '../strings/strings.ts';
import { AdminRefusal, ask } from './server.ts';

/** Who is signed in; null: nobody. */
export const session = signal<SessionAnswer | null>(null);

/** Whether this person may change something. */
export const mayAct = (): boolean => session.value?.role === 'full';

/** Goes on with the session of an earlier visit, if there is one. */
export async function startSession(): Promise<void> {
  session.value = await ask<SessionAnswer>('GET', 'session').catch(() => null);
}

/** Signs in. @throws AdminRefusal */
export async function signIn(password: string, name: string): Promise<void> {
  session.value = await ask<SessionAnswer>('POST', 'session', { password, name });
}

/** Signs out; the page asks for a password again. */
export async function signOut(): Promise<void> {
  await ask('DELETE', 'session').catch(() => undefined);
  session.value = null;
}

/** Shows why something did not work. When the session is over, the page asks to sign in again. */
export function showProblem(error: unknown): void {
  if (error instanceof AdminRefusal && error.code === 'not-signed-in') {
    if (session.value) notify({ text: t('admin.sessionOver'), kind: 'warning', topic: 'session' });
    session.value = null;
    return;
  }
  notify({ text: error instanceof Error ? error.message : String(error), kind: 'error', topic: 'action' });
}

/** Does something, shows the text of `done` or the problem, and resolves with whether it was done. */
export async function act<Answer>(
  action: () => Promise<Answer>,
  done: (answer: Answer) => string,
): Promise<boolean> {
  try {
    notify({ text: done(await action()), kind: 'info', topic: 'action' });
    return true;
  } catch (error) {
    showProblem(error);
    return false;
  }
}
