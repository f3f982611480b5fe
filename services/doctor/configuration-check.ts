import {
  type Config,
  configWarnings,
  type Environment,
  missingPublicUrl,
  unknownVariables,
} from '../../platform/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Checks the variables of the environment for mistakes with which the server starts all the same. */
export function checkConfiguration(config: Config, environment: Environment): Finding[] {
  const findings = [...unknownFindings(environment), ...idleSettings(config)];
  const withoutAddress = missingPublicUrl(config);
  if (withoutAddress !== null) {
    findings.push(
      fail(
        withoutAddress,
        'Set PUBLIC_URL to the address that browsers see, such as https://docs.example.com.',
      ),
    );
  }
  for (const warning of configWarnings(config)) {
    if (warning === withoutAddress) continue;
    findings.push(warn(warning, 'See the table of settings: `quire config`.'));
  }
  return findings.length > 0 ? findings : [ok('All variables are known and fit together')];
}

function unknownFindings(environment: Environment): Finding[] {
  return unknownVariables(environment).map(({ name, meant, isForeign }) => {
    if (isForeign) return warn(`${name} means nothing to this server`, `Set ${meant} in its place.`);
    return warn(
      `${name} is not a setting`,
      meant === null ? 'Settings are listed by `quire config`.' : `Is ${meant} meant?`,
    );
  });
}

/** Settings that have no effect. */
function idleSettings(config: Config): Finding[] {
  const findings: Finding[] = [];
  if (config.blobStore !== 's3' && config.s3Bucket !== undefined) {
    findings.push(
      warn('S3_BUCKET is set, and files are kept in DATA_DIR', 'Set BLOB_STORE=s3 to use the bucket.'),
    );
  }
  if (!config.wopiEnabled && config.wopiHosts !== undefined) {
    findings.push(warn('WOPI_HOSTS is set, and WOPI is off', 'Set WOPI_ENABLED=true to use it.'));
  }
  if (config.databaseUrl === undefined && config.redisUrl !== undefined) {
    const remedy = 'Set DATABASE_URL: several nodes need one database.';
    findings.push(warn('REDIS_URL is set, and the database is the embedded one', remedy));
  }
  if (config.databaseUrl === undefined && config.converterProcesses === 0) {
    const remedy = 'Set CONVERTER_PROCESSES, or DATABASE_URL for workers that run elsewhere.';
    findings.push(warn('CONVERTER_PROCESSES is 0, and nothing else can reach the embedded database', remedy));
  }
  return findings;
}
