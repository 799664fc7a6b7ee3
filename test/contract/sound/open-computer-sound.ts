// Runs in its own process: opens the computer's sound and prints the code of its failure.
import { createComputerSound } from '../../../electron/platform/computer-sound.ts';

export async function run(): Promise<void> {
  const opened = await createComputerSound()?.({ captured: () => undefined });
  if (opened?.ok === true) await opened.value.close();
  process.stdout.write(`${opened?.ok === false ? opened.error.code : 'opened'}\n`);
}
