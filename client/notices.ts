import type { DocumentEvents } from './document-events.ts';
import type { ServerMessage } from './protocol/index.ts';
import type { Requests } from './requests.ts';

export type Emit = <Name extends keyof DocumentEvents>(name: Name, value: DocumentEvents[Name]) => void;

/** Messages whose content is for the application: news, the answer to a request, or why the session ends. */
export type Notice = Extract<
  ServerMessage,
  {
    type:
      | 'message'
      | 'cursor'
      | 'meta'
      | 'forceSave'
      | 'forceSaveStart'
      | 'rpc'
      | 'warning'
      | 'updateVersion'
      | 'quireOpening'
      | 'error'
      | 'drop'
      | 'disconnectReason';
  }
>;

export function passOn(notice: Notice, requests: Requests, emit: Emit): void {
  switch (notice.type) {
    case 'message':
      emit('chat', notice.messages ?? []);
      break;
    case 'cursor':
      for (const cursor of notice.messages) emit('cursor', cursor);
      break;
    case 'meta':
      emit('meta', notice.messages);
      break;
    case 'forceSave':
      emit('forceSave', notice.messages);
      break;
    case 'forceSaveStart':
      requests.answer('forceSaveStart', notice.messages);
      emit('forceSaveStart', notice.messages);
      break;
    case 'rpc':
      requests.answer(`rpc ${notice.responseKey}`, notice.data);
      emit('rpc', notice);
      break;
    case 'warning':
      emit('warning', notice);
      break;
    case 'updateVersion':
      emit('updateVersion', notice);
      break;
    case 'quireOpening':
      emit('opening', notice);
      break;
    case 'error':
      emit('error', notice);
      break;
    case 'drop':
      emit('drop', notice);
      break;
    case 'disconnectReason':
      emit('disconnectReason', notice);
      break;
  }
}
