import type { NodeSnapshot } from '../../../services/admin/api.ts';

/** Fewer than this are turned away now and then by any server, in a second. */
const fewPerS = 0.5;

/** What all nodes together let in and turn away in a second, and how many wait; null while everybody who comes gets in. */
export function tooManyNewcomers(nodes: readonly Pick<NodeSnapshot, 'newcomers'>[]) {
  const sum = (name: 'waiting' | 'enteredPerS' | 'refusedPerS') =>
    nodes.reduce((all, { newcomers }) => all + (newcomers?.[name] ?? 0), 0);
  const refusedPerS = sum('refusedPerS');
  if (refusedPerS < fewPerS) return null;
  return { enteredPerS: sum('enteredPerS'), refusedPerS, waiting: sum('waiting') };
}
