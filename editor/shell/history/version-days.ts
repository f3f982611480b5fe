import { currentLanguage } from '../../strings/strings.ts';
import type { Version } from './version-history.ts';

/** Versions of one day of the reader's calendar, the newest first. */
export interface VersionDay {
  readonly title: string;
  readonly versions: readonly { readonly version: Version; readonly time: string }[];
}

/** Universal time, as callbacks say it (integration API, 7.2); a zone that is given counts. */
const universal = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/;

/** When a version was made; null for a time in words of the embedding page's own. */
export function timeOf(created: string): Date | null {
  const found = universal.exec(created.trim());
  if (!found) return null;
  const time = new Date(`${found[1]}T${found[2]}${found[3] ?? 'Z'}`);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** Groups versions by day, in the reader's language and time zone. */
export function versionDays(versions: readonly Version[], timeZone?: string): VersionDay[] {
  const language = currentLanguage();
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
  const days: { title: string; versions: { version: Version; time: string }[] }[] = [];
  for (const version of versions) {
    const time = timeOf(version.created);
    const title = time ? day.format(time) : version.created;
    const entry = { version, time: time ? clock.format(time) : '' };
    const last = days.at(-1);
    if (last?.title === title) last.versions.push(entry);
    else days.push({ title, versions: [entry] });
  }
  return days;
}
