/** Nodes in the order of their names, with which their ids begin: the second worker before the tenth. */
export const byName = (one: { nodeId: string }, other: { nodeId: string }): number =>
  one.nodeId.localeCompare(other.nodeId, 'en', { numeric: true });
