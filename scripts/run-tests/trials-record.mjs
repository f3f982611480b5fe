const longestShown = 5;

/**
 * What a run of the trials was, so that its last lines say which trials, of which sources and by which chance.
 *
 * @param first what ran first
 * @param of `seed`, the hash of the committed `tree`, whether sources are `changed` since, and how long all of it took in `minutes`
 * @returns lines
 */
export function trialsRecord(first, { seed, tree, changed, minutes }) {
  const didRun = ({ tests, broken = [] }) =>
    broken.length > 0 || tests.some(({ state }) => state !== 'skipped');
  const ran = first.files.filter(didRun);
  const skipped = first.files.filter((file) => !didRun(file)).map(({ file }) => file);
  const longest = [...ran].sort((a, b) => b.durationMs - a.durationMs).slice(0, longestShown);
  const seconds = ran.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000;
  return [
    ...(skipped.length > 0 ? [`trials that did not run, all skipped: ${skipped.sort().join(', ')}`] : []),
    ...(longest.length > 0 ? [`trials that took longest: ${longest.map(told).join(', ')}`] : []),
    `trials: ${ran.length} files of ${(seconds / 60).toFixed(1)} min ran in ${minutes.toFixed(1)} min, ` +
      `seed ${seed}, tree ${tree}${changed ? ' and changes that are not committed' : ''}`,
  ];
}

const told = ({ file, durationMs }) => `${file} ${Math.round(durationMs / 1_000)} s`;
