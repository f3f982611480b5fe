import { cellKind } from '../kinds.ts';

/** Version of the JSON of workbooks and of what positions and ids in a log mean; a log only fits the version it was made on. */
export const WORKBOOK_VERSION = cellKind.model.version;
