/**
 * Milliseconds of processor time that work takes: the minimum of several tries, because garbage collection and other
 * processes disturb some.
 */
export async function cpuTime(work: () => unknown, tries = 3): Promise<number> {
  let minMs = Infinity;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const began = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(began);
    minMs = Math.min(minMs, (user + system) / 1000);
  }
  return minMs;
}
