// A set-up file of vitest, for files that share a process. What a file has replaced there is put back when it ends, also where
// a failure kept it from doing so itself: a failed file fails no other one.
import { afterAll, vi } from 'vitest';

const environment = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = undefined;
});
