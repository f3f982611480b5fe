/** To be imported before anything else by every benchmark: with `--help` it prints the head of the program, and ends. */
import { readFileSync } from 'node:fs';
import { headComment } from './head-comment.ts';

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(headComment(readFileSync(process.argv[1]!, 'utf8')));
  process.exit();
}
