import { expect, test } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { silentLog } from '../../../test/support/silent-log.ts';
import { RedisConnection } from './redis-connection.ts';

test('[CF18] a Redis that is not there and a host that is not known are told by code, setting and remedy', async () => {
  const port = await freePort();
  const connect = (url: string) => RedisConnection.connect(url, silentLog, 200);
  await expect(connect(`redis://:hidden@127.0.0.1:${port}`)).rejects.toMatchObject({
    ...{ code: 'redis-refused', setting: 'REDIS_URL', message: `Nothing listens at 127.0.0.1:${port}` },
    remedy: expect.stringContaining('REDIS_URL'),
  });
  await expect(connect('redis://:hidden@redis.invalid')).rejects.toMatchObject({
    ...{ code: 'redis-host', message: 'The name redis.invalid is not known here' },
  });
});
