import { Router } from 'express';
import { ServiceError } from '../../client/protocol/index.ts';
import { downloadCommand } from './download-command.ts';
import { type EditorAccess, isFromEditor, sessionTokenOf } from './session-access.ts';

/**
 * `POST /savefile/{key}?cmd=` (integration API, 2.1): editors of documents that are encrypted end to end send the file that
 * they have made. There are no such documents here, so an editor is told so, and nothing of the file is read; everybody
 * else gets 403.
 */
export function saveFileRouter(access: EditorAccess): Router {
  const router = Router();
  router.post('/savefile/:key', async (request, response) => {
    const command = downloadCommand(request.query.cmd);
    if (!command) return void response.status(400).json({ error: 'cmd is not a JSON object' });
    const token = sessionTokenOf(request) ?? command.tokenSession;
    if (!(await isFromEditor(request, access, token))) {
      return void response.status(403).json({ error: 'not allowed' });
    }
    response.json({ type: 'save', status: 'err', data: ServiceError.convertDrmUnsupported });
  });
  return router;
}
