import { setTimeout as wait } from 'node:timers/promises';

/** What keeps a process alive; files and the test runner's own pipes come and go by themselves. */
const watched = new Set(['TCPServerWrap', 'TCPSocketWrap', 'Timeout', 'ProcessWrap', 'UDPWrap']);

export function openResources(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => watched.has(resource));
}

/** Waits a moment for closes on their way, then returns what is open beyond `before`. */
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
