import type { SoundProbeMessage } from '../../audio/devices/sound-driver.ts';
import { loadNativeSound } from './portaudio-addon.ts';

// The entry of the process that asks for the sound devices once: Electron's utility process, or a forked Node.
// PortAudio and what it loads end the whole process where they find something that they hold to be impossible.

/** Whoever started it has gone, or a sound system hangs for longer than anybody waits for it. */
const longestLifeMs = 120_000;

const staying = setTimeout(() => process.exit(), longestLifeMs);

async function ask(tell: (message: SoundProbeMessage) => void): Promise<void> {
  try {
    await loadNativeSound().initialize(0);
  } catch {
    // A refusal is an answer: the process that asks in earnest gets it as well, and says why.
  }
  tell('survived');
}

if ('parentPort' in process) {
  const { parentPort } = process;
  const tell = (message: SoundProbeMessage): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has none
    parentPort.postMessage(message);
  };
  parentPort.once('message', () => void ask(tell));
  tell('ready');
} else {
  const forked: NodeJS.Process = process;
  const tell = (message: SoundProbeMessage): void => void forked.send?.(message);
  forked.once('message', () => void ask(tell));
  forked.once('disconnect', () => {
    clearTimeout(staying);
    forked.exit();
  });
  // Ctrl-C reaches all that a terminal started; this one ends with its parent.
  forked.on('SIGINT', () => undefined);
  tell('ready');
}
