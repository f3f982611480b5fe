/**
 * Places in the code where a test may end the process as a power cut would: `kill -9` at a named moment. Without a name
 * armed, the function does nothing.
 */
export function faultPoints(armed: string | undefined): (name: string) => void {
  if (armed === undefined) return () => undefined;
  return (name) => {
    if (name === armed) process.kill(process.pid, 'SIGKILL');
  };
}
