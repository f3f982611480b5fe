import { MemoryCoordination } from '../../platform/adapters/memory-coordination.ts';
import { describeCoordination } from './coordination.ts';

describeCoordination('memory', async () => {
  const shared = new MemoryCoordination();
  return [shared, shared];
});
