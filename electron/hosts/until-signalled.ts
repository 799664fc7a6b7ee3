/**
 * Resolves at the first request to end; a second one ends the process as the system does. To be called before anything is
 * opened: until then a signal ends the process at once, and nothing is closed or written.
 */
export function untilSignalled(): Promise<'signalled'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve('signalled');
      });
    }
  });
}
