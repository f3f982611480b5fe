import { expect, test } from 'vitest';
import { documentFile, ServiceError } from '../../client/protocol/index.ts';
import { loadConfig } from '../../platform/config.ts';
import { Tokens } from '../../platform/secrets/tokens.ts';
import type { ModelOpening } from '../lifecycle/opening/model-opening.ts';
import { SourceError } from '../lifecycle/opening/source-intake.ts';
import { LinkedValueReader, type LinkedValuesDependencies } from './linked-values.ts';

const secrets = {
  inbox: 'i'.repeat(32),
  outbox: 'o'.repeat(32),
  session: 's'.repeat(32),
  previousInbox: undefined,
};

/** A reader whose files are never fetched, and the addresses that it would fetch, with how far they are trusted. */
function reader({ jwt = true, picked = { ok: true, hash: 'values' } as object } = {}) {
  const config = loadConfig({ JWT_ENABLED: String(jwt), DATA_DIR: '/nowhere' });
  const tokens = new Tokens(secrets, config);
  const fetched: unknown[] = [];
  const models: Pick<ModelOpening, 'open'> = {
    open: async () => ({
      result: { ok: true, files: { [documentFile]: 'model' } },
      baseHash: null,
      options: {},
    }),
  };
  const dependencies: LinkedValuesDependencies = {
    ...{ config, tokens, models },
    intake: {
      fetchFrom: async ({ url, isVouched }) => {
        fetched.push([url, isVouched]);
        return { sourceHash: 'source', fileType: 'xlsx', version: { etag: null, modified: null } };
      },
      recogniseAs: async (_file, fileType) => ({
        ...{ sourceHash: 'source', fileType, version: { etag: null, modified: null } },
      }),
    },
    queue: { ask: async () => picked },
    blobs: { put: async () => ({ hash: 'wish' }) as never },
  };
  const values = new LinkedValueReader(dependencies);
  const read = async (command: object) =>
    values
      .read('key', { c: 'linkedvalues', data: { sheets: [], names: [] }, ...command })
      .catch((error: unknown) => (error instanceof SourceError ? error.serviceError : error));
  return { read, fetched, tokens };
}

test('[LB8] the file is the one that the token names, whatever the page says, and nobody gets one without a token', async () => {
  const { read, fetched, tokens } = reader();
  const claims = {
    fileType: 'XLSX',
    url: 'https://s.test/rates',
    key: 'k',
    path: 'Rates.xlsx',
    referenceData: {},
  };
  const token = await tokens.signOpening(claims, 60);
  expect(await read({ url: 'https://evil.test/', format: 'csv', tokenDownload: token })).toBe('values');
  expect(fetched).toEqual([['https://s.test/rates', true]]);
  const other = await tokens.signOpening({ ...claims, document: { url: 'x' } }, 60);
  const late = await tokens.signOpening(claims, -300);
  expect(await read({ url: 'https://s.test/rates', format: 'xlsx' })).toBe(ServiceError.verificationKey);
  expect(await read({ tokenDownload: other })).toBe(ServiceError.verificationKey);
  expect(await read({ tokenDownload: `${token}x` })).toBe(ServiceError.verificationKey);
  expect(await read({ tokenDownload: late })).toBe(ServiceError.keyExpired);
  for (const url of ['wopi-session:1', 'file:///etc/passwd', '', 7])
    expect(await read({ tokenDownload: await tokens.signOpening({ ...claims, url }, 60) })).toBe(
      ServiceError.convertDownload,
    );
  expect(fetched).toHaveLength(1);
});

test('[LB8] without tokens an address is fetched as anybody’s, and what cannot be read says why', async () => {
  const { read, fetched } = reader({ jwt: false });
  expect(await read({ url: 'https://s.test/rates', format: 'xlsx' })).toBe('values');
  expect(fetched).toEqual([['https://s.test/rates', false]]);
  expect(await read({ url: 'https://s.test/rates', format: 'xlsx', data: 'all' })).toBe(
    ServiceError.convertParams,
  );
  const refusing = reader({ jwt: false, picked: { ok: false, errorCode: ServiceError.convertLimits } });
  expect(await refusing.read({ url: 'https://s.test/rates', format: 'xlsx' })).toBe(
    ServiceError.convertLimits,
  );
});
