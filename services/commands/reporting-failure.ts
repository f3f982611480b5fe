/** For the action of a command: runs `task`. An error is printed as its message, and makes the exit code 1. */
export async function reportingFailure(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
