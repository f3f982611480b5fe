import { expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { type ExpectedEnd, exhaustingDocuments } from '../../test/support/exhausting-documents.ts';
import { convert } from '../engines/engine-thread.ts';
import { ConversionError } from '../errors.ts';
import { checkSource } from './check-source.ts';
import { sourceLimits } from './source-limits.ts';

const limits = sourceLimits(loadConfig({}));

async function endOf(bytes: Uint8Array): Promise<ExpectedEnd> {
  try {
    await checkSource(bytes, limits);
  } catch (error) {
    if (error instanceof ConversionError && error.code === 'limits') return 'refused before';
    throw error;
  }
  const result = await convert({ kind: 'open', model: 'word', source: bytes, limits });
  if (result.kind === 'refused') expect(result.error).toBe('limits');
  return result.kind === 'refused' ? 'refused by the engine' : 'opens';
}

it.each(exhaustingDocuments())(
  '[SC12] what is small and made to take much is refused with -93 before it does, or takes little: $name',
  async ({ bytes, expected }) => {
    const made = bytes();
    expect(made.length).toBeLessThan(3_000_000);
    expect(await endOf(made)).toBe(expected);
  },
);
