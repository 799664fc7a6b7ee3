import { setTimeout as wait } from 'node:timers/promises';

/** Resources that keep a process alive, except files and the test runner's pipes. */
const watched = new Set(['TCPServerWrap', 'TCPSocketWrap', 'Timeout', 'ProcessWrap', 'UDPWrap']);

export function openResources(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => watched.has(resource));
}

/** Waits briefly for pending closes, then returns resources that are open beyond `before`. */
export async function untilReleased(
  before: readonly string[],
  attempts = 20,
): Promise<readonly string[]> {
  const extra = beyond(openResources(), before);
  if (extra.length === 0 || attempts === 0) return extra;
  await wait(50);
  return untilReleased(before, attempts - 1);
}

function beyond(now: readonly string[], before: readonly string[]): readonly string[] {
  const left = [...before];
  return now.filter((resource) => {
    const at = left.indexOf(resource);
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
}
