import { setTimeout as delay } from 'node:timers/promises';
import type { FaultWorld } from './fault-world.ts';

const queryMs = 5_000;
const logLines = 60;
const lineCharacters = 600;

/** To be called when a test has failed: if it ran out of time, prints where everybody in its world waits. */
export async function tellOf(world: FaultWorld): Promise<void> {
  if (world.isOpen) console.error(await reportOn(world));
}

async function reportOn(world: FaultWorld): Promise<string> {
  const writers = world.writers.map((writer) => {
    const { client } = writer.session;
    const ended = writer.endings[0]?.error;
    return [
      `${writer.name}: typed ${writer.count}, lost ${writer.lostConnections} connections`,
      ...(ended ? [`ended ${ended.code} ${ended.message}`] : []),
      JSON.stringify(client.status),
    ].join(', ');
  });
  return [
    `This process could not do anything for up to ${world.longestBlockMs} ms.`,
    ...writers,
    `documents: ${await answerOf(world, 'SELECT * FROM documents')}`,
    `saves: ${await answerOf(world, 'SELECT key, epoch, status, state, attempts FROM saves')}`,
    `statements: ${await answerOf(
      world,
      `SELECT pid, application_name, state, wait_event, (now() - query_start)::text AS age, left(query, 200) AS query
       FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid()`,
    )}`,
    `The server ${world.quire.isRunning ? 'runs' : 'does not run'}. The end of its log:`,
    ...world.quire.log.slice(-logLines).map((line) => JSON.stringify(line).slice(0, lineCharacters)),
  ].join('\n');
}

/** What the database answers, or why it does not. */
async function answerOf(world: FaultWorld, text: string): Promise<string> {
  try {
    return JSON.stringify(await Promise.race([world.query(text), delay(queryMs, 'no answer in time')]));
  } catch (error) {
    return String(error);
  }
}
