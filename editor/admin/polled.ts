import { signal } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { AdminRefusal, ask } from './server.ts';
import { showProblem } from './session.ts';

/** Time between two requests for what is shown, milliseconds. */
const everyMs = 2_000;

/** The server did not answer the last time it was asked. */
export const isLost = signal(false);

/** The answer of an address, kept up to date while the page is visible; null until the first one. */
export function usePolled<Answer>(path: string): { value: Answer | null; refresh: () => void } {
  return usePolling(useCallback(() => ask<Answer>('GET', path), [path]));
}

/** The same for the result of `look`, asked for again after a pause. A new `look` begins at once; until it has answered, the earlier result is shown. */
export function usePolling<Answer>(
  look: () => Promise<Answer>,
  pauseMs = everyMs,
): {
  value: Answer | null;
  refresh: () => void;
} {
  const [value, setValue] = useState<Answer | null>(null);
  const again = useRef(() => {});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let isAsking = false;
    const poll = async () => {
      clearTimeout(timer);
      if (isAsking || isOver) return;
      isAsking = true;
      try {
        const answer = await look();
        if (!isOver) setValue(answer);
        isLost.value = false;
      } catch (error) {
        if (error instanceof AdminRefusal && error.code === 'network') isLost.value = true;
        else if (!isOver) showProblem(error);
      }
      isAsking = false;
      if (!isOver && !document.hidden) timer = setTimeout(() => void poll(), pauseMs);
    };
    const onShown = () => {
      if (!document.hidden) void poll();
    };
    again.current = () => void poll();
    document.addEventListener('visibilitychange', onShown);
    void poll();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [look, pauseMs]);
  return { value, refresh: useCallback(() => again.current(), []) };
}
