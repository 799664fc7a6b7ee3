/** Runs `act` and returns the unhandled rejections, hidden from the test runner. */
export async function collectUnhandledRejections(
  act: () => Promise<void>,
): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => seen.push(reason));
  try {
    await act();
    await new Promise(setImmediate);
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
  return seen;
}
