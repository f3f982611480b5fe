import type { Setting } from './setting.ts';
import { administrationSettings } from './settings/administration.ts';
import { blobsSettings } from './settings/blobs.ts';
import { databaseSettings } from './settings/database.ts';
import { lifecycleSettings } from './settings/lifecycle.ts';
import { limitsSettings } from './settings/limits.ts';
import { nodesSettings } from './settings/nodes.ts';
import { observationSettings } from './settings/observation.ts';
import { outgoingSettings } from './settings/outgoing.ts';
import { processesSettings } from './settings/processes.ts';
import { serverSettings } from './settings/server.ts';
import { tokensSettings } from './settings/tokens.ts';
import { trialsSettings } from './settings/trials.ts';
import { wopiSettings } from './settings/wopi.ts';

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
