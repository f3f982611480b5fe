import { optionalFlag, optionalText } from '../setting.ts';

/** What is for trials and tests. */
export const trialsSettings = {
  exampleEnabled: optionalFlag(
    'EXAMPLE_ENABLED',
    'true in a trial: with neither `DATABASE_URL` nor `PUBLIC_URL`',
    'Whether the example application is served at `/example/`. Whoever reaches it may use it: not for production. It needs tokens.',
  ),
  faultPoint: optionalText(
    'FAULT_POINT',
    'none',
    { pattern: /^[a-z:-]+$/, form: 'the name of a fault point' },
    'For tests of recovery: the process kills itself when it comes to this place.',
  ),
};
