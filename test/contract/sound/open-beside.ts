// A process of its own: while microphones capture, a speaker is opened again and again on a device that
// refuses the rate that is wanted.
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { englishErrorMessage } from '../../../shared/i18n/en/errors.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';

/** What the process reports. */
export interface OpenedBeside {
  /** The rates that it was opened with, each once. */
  readonly rates: readonly number[];
  readonly problems: readonly string[];
}

const microphones = 3;
const times = 60;

export async function run(): Promise<void> {
  const driver = createPortAudioDriver();
  const problems: string[] = [];
  const rates = new Set<number>();
  // Without it nothing would hold the process while it waits.
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
