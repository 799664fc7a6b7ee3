// Runs in its own process: its microphone’s listener throws. With `guarded` it has a host's crash handler.
import { composeLog } from '../../../electron/app/process-log.ts';
import { guardProcess, printToStderr } from '../../../electron/hosts/guard-process.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';

export async function run(watched: string): Promise<void> {
  if (watched === 'guarded') {
    guardProcess({ log: composeLog(), end: printToStderr, isLongRunning: true });
  }
  // Long enough to capture something; a lost exception ends like none.
  setTimeout(() => {
    process.exit(0);
  }, 5000);
  const opened = await createPortAudioDriver().openMicrophone('default', inputRate, {
    captured: () => {
      throw new Error('the listener failed');
    },
  });
  if (!opened.ok) throw new Error(opened.error.code);
}
