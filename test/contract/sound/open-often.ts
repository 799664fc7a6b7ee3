// Runs in its own process: opens and closes the microphone repeatedly, and counts the leftovers.
import { loadNativeSound } from '../../../electron/platform/portaudio/portaudio-addon.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';

export interface OpenedOften {
  readonly problems: readonly string[];
  /** While the last microphone was open, and after it closed. */
  readonly wakers: readonly [open: number, closed: number];
}

export async function run(times: string): Promise<void> {
  const native = loadNativeSound() as unknown as { readonly wakerCount: () => number };
  const driver = createPortAudioDriver();
  const problems: string[] = [];
  const holding = setInterval(() => undefined, 1000);
  let open = 0;
  for (let time = 0; time < Number(times); time += 1) {
    const microphone = await driver.openMicrophone('default', inputRate, {
      captured: () => undefined,
    });
    if (!microphone.ok) {
      problems.push(microphone.error.code);
      continue;
    }
    open = native.wakerCount();
    await microphone.value.close();
  }
  // Handles close at the end of a loop iteration, so they are gone in the next.
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
  clearInterval(holding);
  const report: OpenedOften = { problems, wakers: [open, native.wakerCount()] };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
