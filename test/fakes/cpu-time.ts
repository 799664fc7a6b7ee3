/**
 * Milliseconds of processor time. Takes the least of several tries, because garbage collection and other processes
 * disturb some.
 */
export async function cpuTime(work: () => unknown, tries = 3): Promise<number> {
  let least = Infinity;
  for (let left = tries; left > 0; left -= 1) {
    const began = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
