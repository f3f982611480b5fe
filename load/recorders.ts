import type { Meters, Recorder } from './meters.ts';

/** What a person measures. */
export interface Recorders {
  open: Recorder;
  login: Recorder;
  save: Recorder;
  saved: Recorder;
  chat: Recorder;
  /** From when a message was due to its arrival at somebody else. */
  message: Recorder;
  presence: Recorder;
  change: Recorder;
  poll: Recorder;
  pollFirstByte: Recorder;
  post: Recorder;
  postFirstByte: Recorder;
  silence: Recorder;
}

export const recordersOf = (meters: Meters): Recorders => ({
  open: meters.latency('open'),
  login: meters.latency('login'),
  save: meters.latency('save'),
  saved: meters.latency('saved'),
  chat: meters.latency('chat'),
  message: meters.latency('message'),
  presence: meters.latency('presence'),
  change: meters.latency('change'),
  poll: meters.latency('poll'),
  pollFirstByte: meters.latency('poll.firstByte'),
  post: meters.latency('post'),
  postFirstByte: meters.latency('post.firstByte'),
  silence: meters.latency('silence'),
});
