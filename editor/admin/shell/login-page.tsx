import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { AppearanceMenu } from '../../page/appearance-menu.tsx';
import { Logo } from '../../page/logo.tsx';
import { t } from '../../strings/strings.ts';
import { signIn } from '../session.ts';
import '../../page/header.css';
import '../../kit/form.css';
import './login-page.css';

/** Asks for the password. */
export function LoginPage() {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => password.current?.focus(), []);
  const submit = async (fields: FormData) => {
    setBusy(true);
    setProblem('');
    try {
      await signIn(String(fields.get('password')), String(fields.get('name')));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
      password.current?.select();
    }
  };
  return (
    <main class="login">
      <form
        class="login-card form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <div class="login-head">
          <Logo />
          <h1>{t('admin.title')}</h1>
          <AppearanceMenu />
        </div>
        <p class="quiet">{t('admin.signInLead')}</p>
        <label class="field">
          {t('admin.password')}
          <input
            ref={password}
            name="password"
            type="password"
            autocomplete="current-password"
            required
            aria-invalid={problem !== ''}
            aria-describedby="login-problem"
          />
        </label>
        <p id="login-problem" class="field-error" role="alert">
          {problem}
        </p>
        <label class="field">
          {t('admin.yourName')}
          <input name="name" autocomplete="name" maxLength={100} aria-describedby="login-name-hint" />
          <span id="login-name-hint" class="quiet small">
            {t('admin.yourNameHint')}
          </span>
        </label>
        <Button kind="primary" type="submit" disabled={isBusy}>
          {t('admin.signIn')}
        </Button>
      </form>
    </main>
  );
}
