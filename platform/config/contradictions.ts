import type { Config } from './settings.ts';

/** What settings say that cannot be so together, a sentence each, beginning with the name of the setting to change. */
export function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if (config.blobStore === 's3' && config.s3Bucket === undefined) {
    problems.push('S3_BUCKET is missing: BLOB_STORE is s3');
  }
  if ((config.s3AccessKeyId === undefined) !== (config.s3SecretAccessKey === undefined)) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both or neither');
  }
  if (config.s3KmsKeyId !== undefined && config.s3Encryption !== 'aws:kms') {
    problems.push(`S3_KMS_KEY_ID needs S3_ENCRYPTION=aws:kms, which is ${config.s3Encryption}`);
  }
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined) {
    problems.push('DATABASE_URL is missing: DATABASE_DIRECT_URL is the same database past a pooler');
  }
  return problems;
}
