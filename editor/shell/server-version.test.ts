import { expect, it, vi } from 'vitest';
import type { DocumentClient } from '../../client/document-client.ts';
import { ownVersion, protocolVersion } from '../../client/protocol/version.ts';
import { dismissNotice, notify } from '../kit/notices.tsx';
import { followServerVersion } from './server-messages.ts';

vi.mock('../kit/notices.tsx', () => ({ notify: vi.fn(), dismissNotice: vi.fn() }));

it('[XE93] [XE96] a page is asked to load again where its server goes by other rules, as long as that is so', () => {
  const heard: ((message: unknown) => void)[] = [];
  const on = (_name: string, listener: (message: unknown) => void) => {
    heard.push(listener);
    return () => undefined;
  };
  followServerVersion({ on } as unknown as Pick<DocumentClient, 'on'>);
  const { version: buildVersion, build: buildNumber } = protocolVersion;
  const connects = (said: object) => {
    vi.mocked(notify).mockClear();
    for (const listener of heard) listener({ type: 'license', license: { type: 3, ...said } });
    return vi.mocked(notify).mock.calls.map(([{ topic, stays, action }]) => [topic, stays, action?.label]);
  };
  const asked = [['server-version', true, 'Reload']];
  expect(connects({ buildVersion, buildNumber, quireVersion: ownVersion })).toEqual([]);
  expect(connects({ buildVersion, buildNumber, quireVersion: `${buildVersion}.${buildNumber}.99` })).toEqual(
    asked,
  );
  vi.mocked(dismissNotice).mockClear();
  // Beside other editors, too, whose version is another.
  expect(connects({ buildVersion: '8.2.1', buildNumber: 35, quireVersion: ownVersion })).toEqual([]);
  expect(vi.mocked(dismissNotice).mock.calls).toEqual([['server-version']]);
  // Servers of before say nothing of their rules where they announce the same protocol: after a step back, or on another node.
  expect(connects({ buildVersion, buildNumber })).toEqual(asked);
  expect(connects({ buildVersion: '8.2.1', buildNumber: 35 })).toEqual(asked);
  for (const listener of heard) listener({ type: 'message', messages: [] });
});
