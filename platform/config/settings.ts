import type { Setting } from './setting.ts';
import { outgoingSettings, tokensSettings, wopiSettings } from './settings/integration.ts';
import { lifecycleSettings } from './settings/lifecycle.ts';
import { limitsSettings } from './settings/limits.ts';
import { administrationSettings, observationSettings } from './settings/operation.ts';
import { processesSettings } from './settings/processes.ts';
import { nodesSettings, serverSettings, trialsSettings } from './settings/server.ts';
import { blobsSettings, databaseSettings } from './settings/storage.ts';

/**
 * Every setting of the server, once: name in the code, environment variable, type, default and meaning.
 * The table in the docs is made from this.
 */
export const settings = {
  ...serverSettings,
  ...blobsSettings,
  ...databaseSettings,
  ...nodesSettings,
  ...tokensSettings,
  ...outgoingSettings,
  ...lifecycleSettings,
  ...wopiSettings,
  ...processesSettings,
  ...limitsSettings,
  ...trialsSettings,
  ...administrationSettings,
  ...observationSettings,
} satisfies Record<string, Setting<unknown>>;

/** The settings as values. */
export type Config = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name]['defaultValue'];
};
