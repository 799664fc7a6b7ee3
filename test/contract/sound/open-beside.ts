// Runs in its own process: while microphones capture, it repeatedly opens a speaker whose device refuses the
// requested rate.
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';

/** The report of the process. */
export interface OpenedBeside {
  /** The distinct rates of the opened streams. */
  readonly rates: readonly number[];
  readonly problems: readonly string[];
}

const microphones = 3;
const times = 60;

export async function run(): Promise<void> {
  const driver = createPortAudioDriver();
  const problems: string[] = [];
  const rates = new Set<number>();
  // Keeps the process alive while it waits.
  const holding = setInterval(() => undefined, 1000);

  const capturing = [];
  for (let count = 0; count < microphones; count += 1) {
    const microphone = await driver.openMicrophone('default', inputRate, {
      captured: () => undefined,
    });
    if (microphone.ok) capturing.push(microphone.value);
    else problems.push(englishErrorMessage(microphone.error));
  }
  for (let time = 0; time < times; time += 1) {
    const speaker = await driver.openSpeaker('default', outputRate);
    if (!speaker.ok) {
      problems.push(englishErrorMessage(speaker.error));
      continue;
    }
    rates.add(speaker.value.rate);
    await speaker.value.close();
  }
  for (const microphone of capturing) await microphone.close();
  clearInterval(holding);
  process.stdout.write(
    `${JSON.stringify({ rates: [...rates], problems } satisfies OpenedBeside)}\n`,
  );
}
