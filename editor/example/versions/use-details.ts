import { useEffect, useState } from 'preact/hooks';
import { onChange } from '../documents.ts';
import { type DocumentDetails, ServerError, server } from '../server.ts';

/** A document with its versions as the server has them; `missing` when it is not there or no more. */
export function useDetails(id: string): { details: DocumentDetails | null; missing: boolean } {
  const [details, setDetails] = useState<DocumentDetails | null>(null);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    let asked = 0;
    const load = async () => {
      asked += 1;
      const mine = asked;
      try {
        const answer = await server.details(id);
        if (mine !== asked) return;
        setDetails(answer);
        setMissing(false);
      } catch (error) {
        // While the server is away, what is known goes on being shown.
        if (mine === asked && error instanceof ServerError && error.code === 'not-found') setMissing(true);
      }
    };
    void load();
    const stop = onChange((changed) => {
      if (changed === null || changed === id) void load();
    });
    return () => {
      asked = -1;
      stop();
    };
  }, [id]);
  return { details, missing };
}
