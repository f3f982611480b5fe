import { currentDirection } from '../strings/strings.ts';

/** Where an arrow key goes along a line as it is read: 1 to what comes next, -1 to what came before, 0 for any other key. */
export function arrowStep(key: string): 1 | -1 | 0 {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0;
  return (key === 'ArrowRight') === (currentDirection() === 'ltr') ? 1 : -1;
}
