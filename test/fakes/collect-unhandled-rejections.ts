/** What failed with nobody waiting for it while `act` ran; the test runner does not hear of it. */
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
