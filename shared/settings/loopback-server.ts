/**
 * A name under `.localhost` is not among them: not every system keeps it from being asked of the network.
 * Neither is any other way to write the same numbers; whoever is asked once too often loses nothing.
 */
const onThisMachine = /^wss?:\/\/(localhost|\[::1\]|127(\.\d{1,3}){3})(:\d+)?$/;

/** Whether what is sent to a server, given as its scheme, name and port, stays on this machine. */
export function isLoopbackServer(origin: string): boolean {
  return onThisMachine.test(origin);
}
