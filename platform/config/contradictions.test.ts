import { expect, test } from 'vitest';
import { type ConfigError, loadConfig } from '../config.ts';

const problemsOf = (environment: Readonly<Record<string, string>>): readonly string[] => {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

test('[OS11] settings of the store that cannot be so together are refused, each with its name', () => {
  const s3 = { BLOB_STORE: 's3', S3_BUCKET: 'documents' };
  expect(problemsOf(s3)).toEqual([]);
  expect(problemsOf({ BLOB_STORE: 's3' })).toEqual(['S3_BUCKET is missing: BLOB_STORE is s3']);
  const halves: Record<string, string>[] = [{ S3_ACCESS_KEY_ID: 'key' }, { S3_SECRET_ACCESS_KEY: 'hidden' }];
  for (const half of halves) {
    const problems = problemsOf({ ...s3, ...half });
    expect(problems).toEqual([expect.stringMatching(/^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/)]);
    expect(problems.join()).not.toContain('hidden');
  }
  expect(problemsOf({ ...s3, S3_KMS_KEY_ID: 'key' })).toEqual([expect.stringContaining('S3_ENCRYPTION')]);
});
