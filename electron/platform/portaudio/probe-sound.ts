import type { SoundProbeMessage } from '../../audio/devices/sound-driver.ts';
import { loadNativeSound } from './portaudio-addon.ts';

// The probe process, which opens the sound system once: Electron's utility process or a forked Node. PortAudio
// and its libraries abort the process on some internal errors.

/** The process ends after this, in case its parent is gone or the sound system hangs. */
const maxLifeMs = 120_000;

const lifeTimer = setTimeout(() => process.exit(), maxLifeMs);

async function probe(send: (message: SoundProbeMessage) => void): Promise<void> {
  try {
    await loadNativeSound().initialize(0);
  } catch {
    // If the sound system refuses, Parley gets the same refusal and reports it.
  }
  send('survived');
}

if ('parentPort' in process) {
  const { parentPort } = process;
  const send = (message: SoundProbeMessage): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has none
    parentPort.postMessage(message);
  };
  parentPort.once('message', () => void probe(send));
  send('ready');
} else {
  const forked: NodeJS.Process = process;
  const send = (message: SoundProbeMessage): void => void forked.send?.(message);
  forked.once('message', () => void probe(send));
  forked.once('disconnect', () => {
    clearTimeout(lifeTimer);
    forked.exit();
  });
  // Ctrl-C signals all processes of the terminal. This one ends with its parent.
  forked.on('SIGINT', () => undefined);
  send('ready');
}
