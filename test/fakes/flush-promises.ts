/** Runs pending microtasks, and chains of them up to 50 long. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
