/** Version of the JSON of workbooks and of what positions and ids in a log mean; a log only fits the version it was made on. */
export const WORKBOOK_VERSION = 1;
