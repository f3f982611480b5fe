/**
 * Whether there is a process with this number, also one of another user, or one that has ended and was not waited for yet.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
