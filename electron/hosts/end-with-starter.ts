const boundByStarter = 'PARLEY_ENDS_WITH_STARTER';

/**
 * `npm start` holds the other end of a channel to the host that it started, and says so in the environment
 * (scripts/lib/signals.mjs). It closes the channel to ask the host to end, and the system closes it where it was
 * killed. A host that anybody else started is bound to nothing, were there a channel.
 */
export function endWithStarter(end: () => void): void {
  const bound = process.env[boundByStarter] !== undefined;
  // What this process starts is bound to nothing either.
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
