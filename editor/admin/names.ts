import type { DocumentAnswer, NodeSnapshot, PartName, Person, SaveAnswer } from '../../services/admin/api.ts';
import { type StringKey, t } from '../strings/strings.ts';

type State = DocumentAnswer['document']['state'];

export const stateNames: Readonly<Record<State, StringKey>> = {
  opening: 'admin.stateOpening',
  idle: 'admin.stateIdle',
  open: 'admin.stateOpen',
  closing: 'admin.stateClosing',
  assembling: 'admin.stateAssembling',
  delivering: 'admin.stateDelivering',
  closed: 'admin.stateClosed',
  failed: 'admin.stateFailed',
  forgotten: 'admin.stateForgotten',
};

export const phaseNames: Readonly<Record<SaveAnswer['phase'], StringKey>> = {
  making: 'admin.phaseMaking',
  delivering: 'admin.phaseDelivering',
  waiting: 'admin.phaseWaiting',
  forgotten: 'admin.phaseForgotten',
  delivered: 'admin.phaseDelivered',
  abandoned: 'admin.phaseAbandoned',
  superseded: 'admin.phaseSuperseded',
};

/** What a node works with. */
export const healthNames: Readonly<Record<PartName, StringKey>> = {
  database: 'admin.healthDatabase',
  redis: 'admin.healthRedis',
  files: 'admin.healthFiles',
  converters: 'admin.healthConverters',
};

const roleNames: Readonly<Record<Person['role'], StringKey>> = {
  editor: 'admin.roleEditor',
  viewer: 'admin.roleViewer',
  'live-viewer': 'admin.roleLiveViewer',
};

const modelNames: Readonly<Record<string, StringKey>> = {
  word: 'admin.modelWord',
  binary: 'admin.modelBinary',
  opaque: 'admin.modelOpaque',
  pages: 'admin.modelPages',
};

const statusNames: Readonly<Record<SaveAnswer['status'], StringKey>> = {
  2: 'admin.kindFinal',
  3: 'admin.kindNoFile',
  4: 'admin.kindFinal',
  6: 'admin.kindForced',
  7: 'admin.kindForcedFailed',
};

const jobNames: Readonly<Record<string, StringKey>> = {
  open: 'admin.jobOpen',
  convert: 'admin.jobConvert',
  assemble: 'admin.jobAssemble',
  'force-save': 'admin.jobForceSave',
  export: 'admin.jobExport',
  pick: 'admin.jobPick',
  checkpoint: 'admin.jobCheckpoint',
};

const cacheNames: Readonly<Record<string, StringKey>> = {
  history: 'admin.cacheHistory',
  opened_sources: 'admin.cacheOpenedSources',
  remembered_sources: 'admin.cacheRememberedSources',
  small_files: 'admin.cacheSmallFiles',
  conversions: 'admin.cacheConversions',
};

export const roleName = (role: Person['role']): string => t(roleNames[role]);
export const modelName = (model: DocumentAnswer['document']['model']): string =>
  model === null ? '' : nameIn(modelNames, model);
export const saveKindName = (status: SaveAnswer['status']): string => t(statusNames[status]);

export const jobName = (kind: string): string => nameIn(jobNames, kind);
export const cacheName = (name: string): string => nameIn(cacheNames, name);

/** A newer server may have kinds that this page has no name for. */
function nameIn(names: Readonly<Record<string, StringKey>>, kind: string): string {
  const key = names[kind];
  return key ? t(key) : kind;
}

/** What a node is called; servers of earlier versions tell no names. */
export const nodeName = ({ name, nodeId }: NodeSnapshot): string => name ?? nodeId;

/** What a person is called; some integrators give no name. */
export const personName = ({ name, userId, connectionId }: Person): string => name || userId || connectionId;
