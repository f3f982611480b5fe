// Every member of what `recalculation.test.ts` asks some of: each of them calculates for seconds.
import { describe, test } from 'vitest';
import { expectSameAsAnew } from './testing/book-edits.ts';
import { countedCalls, expectCounted, expectOften, overColumns } from './testing/long-calls.ts';

describe('long calls', () => {
  test('[CE50] every value is that of the same workbook opened anew', () => expectSameAsAnew(300));

  test.each(overColumns)(
    '[CE53] %s comes to %s, also when it is asked a hundred times by one formula',
    expectOften,
  );

  test.each(countedCalls)('[CE52] what %s does within one call counts', expectCounted);
});
