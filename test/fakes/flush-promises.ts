/** Runs pending microtasks, and chains of them up to 50 long. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

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
