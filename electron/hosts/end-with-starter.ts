const boundByStarter = 'PARLEY_ENDS_WITH_STARTER';

/**
 * Ends a host when the `npm start` that started it ends. `npm start` holds the other end of a channel, and says so in the
 * environment (scripts/lib/signals.mjs). It closes the channel to ask the host to end; the system closes the channel
 * when `npm start` was killed. A host that anybody else started goes on.
 */
export function endWithStarter(end: () => void): void {
  const bound = process.env[boundByStarter] !== undefined;
  // Processes that this one starts inherit the environment, and must not end with `npm start`.
  delete process.env[boundByStarter];
  if (!bound) return;
  if (!process.connected) {
    end();
    return;
  }
  process.once('disconnect', end);
  // Whoever listens to it would be held by it.
  process.channel?.unref();
}
