import { type Finding, fail, ok, warn } from './finding.ts';

/** What differs less is nothing to speak of, milliseconds; the header `Date` knows whole seconds only. */
const noticedMs = 3_000;
const harmfulMs = 60_000;

/** What is said of another machine's clock, both in milliseconds since 1970. */
export function clockFinding(whose: string, theirsMs: number, oursMs: number): Finding {
  const differenceMs = Math.round(theirsMs - oursMs);
  const size = Math.abs(differenceMs);
  if (size < noticedMs) return ok(`The clock of ${whose} agrees with that of this machine`);
  const sentence = `The clock of ${whose} is ${(size / 1_000).toFixed(1)} s ${differenceMs > 0 ? 'ahead' : 'behind'}`;
  const remedy = 'Have both machines set their clocks by NTP.';
  return size < harmfulMs ? warn(sentence, remedy) : fail(`${sentence}: tokens are refused`, remedy);
}

/** As {@link clockFinding} from the header `Date` of an answer; nothing where there is none. */
export function clockFindings(whose: string, date: string | null | undefined, oursMs: number): Finding[] {
  const theirsMs = Date.parse(date ?? '');
  return Number.isNaN(theirsMs) ? [] : [clockFinding(whose, theirsMs, oursMs)];
}
