import { setTimeout as wait } from 'node:timers/promises';
import type {
  DeviceChoice,
  MicrophoneStream,
  SoundDriver,
  SpeakerStream,
} from '../../electron/audio/devices/sound-driver.ts';
import { createPortAudioDriver } from '../../electron/platform/portaudio/portaudio-driver.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeSoundDriver } from '../fakes/fake-sound-driver.ts';
import { unwrap } from '../fakes/unwrap.ts';

/** A sound system and its time. */
export interface SoundHarness {
  readonly name: string;
  readonly driver: SoundDriver;
  readonly pass: (ms: number) => Promise<void>;
  /** The reason why it cannot be tested here. */
  readonly missing: string | undefined;
}

export async function soundHarnesses(): Promise<readonly SoundHarness[]> {
  return [fakeRig(), await portAudioRig()];
}

function fakeRig(): SoundHarness {
  const clock = new FakeClock();
  const driver = new FakeSoundDriver(clock);
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.advance(10);
      await Promise.resolve();
    }
  };
  return { name: 'fake sound driver', driver, pass, missing: undefined };
}

async function portAudioRig(): Promise<SoundHarness> {
  const driver = createPortAudioDriver();
  const missing = await missingIn(driver);
  return {
    name: 'PortAudio driver',
    driver,
    pass: (ms) => wait(ms),
    missing,
  };
}

async function missingIn(driver: SoundDriver): Promise<string | undefined> {
  const listed = await driver.devices();
  if (!listed.ok) return englishErrorMessage(listed.error);
  if (!listed.value.some(({ defaultOutput }) => defaultOutput))
    return 'this machine has no speaker';
  if (!listed.value.some(({ defaultInput }) => defaultInput))
    return 'this machine has no microphone';
  return undefined;
}

/** Waits until the condition holds, within a generous time limit. */
export async function until(
  rig: SoundHarness,
  what: string,
  isSo: () => boolean,
  maxMs = 8000,
): Promise<void> {
  for (let passed = 0; passed < maxMs; passed += 20) {
    if (isSo()) return;
    await rig.pass(20);
  }
  throw new Error(`It took more than ${maxMs} ms until ${what}.`);
}

/** Opens streams that close when the test ends. */
export function openersOf(driver: SoundDriver) {
  let opened: (SpeakerStream | MicrophoneStream)[] = [];
  return {
    openSpeaker: async (choice: DeviceChoice = 'default'): Promise<SpeakerStream> => {
      const stream = unwrap(await driver.openSpeaker(choice, outputRate));
      opened.push(stream);
      return stream;
    },
    openMicrophone: async (
      hear: (block: Float32Array) => void = () => undefined,
    ): Promise<MicrophoneStream> => {
      const listener = { captured: hear };
      const stream = unwrap(await driver.openMicrophone('default', inputRate, listener));
      opened.push(stream);
      return stream;
    },
    closeAll: async (): Promise<void> => {
      await Promise.all(opened.map((stream) => stream.close()));
      opened = [];
    },
  };
}
