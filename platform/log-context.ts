import { AsyncLocalStorage } from 'node:async_hooks';

const context = new AsyncLocalStorage<Readonly<Record<string, unknown>>>();

/** Has every line that is logged while `work` runs carry these fields, whoever logs it. */
export function withLogFields<Result>(
  fields: Readonly<Record<string, unknown>>,
  work: () => Promise<Result>,
): Promise<Result> {
  return context.run({ ...context.getStore(), ...fields }, work);
}

/** The fields of what runs now. */
export const currentLogFields = (): object => ({ ...context.getStore() });
