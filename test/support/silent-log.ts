import { pino } from 'pino';

/** A log that says nothing. */
export const silentLog = pino({ level: 'silent' });
