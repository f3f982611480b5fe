/** A process of its own that keeps LibreOffice busy until it is killed: it says `busy` when a conversion is under way. */

import { findOffice } from '../../converter/engines/libreoffice/installation.ts';
import { openOffice } from '../../converter/engines/libreoffice/libreoffice-engine.ts';
import { loadConfig, processEnvironment } from '../../platform/config.ts';
import { endlessJob } from './office.ts';

const config = loadConfig(processEnvironment());
const { office } = await findOffice({ ...config, converterUnconfined: true });
const silent = { info: () => undefined, warn: () => undefined };
const { pool } = await openOffice(office!, config, { log: silent });
const job = endlessJob();
pool
  .run({
    ...job,
    async prepare(directory) {
      const task = await job.prepare(directory);
      process.send?.('busy');
      return task;
    },
  })
  .catch(() => undefined);
