import type { Lifetime } from '../shared/lifetime.ts';
import { inputRate } from '../shared/protocol/limits.ts';
import { openRateConverter } from './adapters/sample-rate.ts';
import { createSoundDriver } from './adapters/portaudio/sound-driver.ts';
import { CaptureChain, passThrough } from './audio/capture-chain.ts';
import type { CaptureProcessor } from './audio/capture-chain.ts';
import type { SoundNews } from './audio/keep-stream.ts';
import { openMicrophone } from './audio/microphone.ts';
import type { Microphone } from './audio/microphone.ts';
import { PlayedSound } from './audio/played-sound.ts';
import { readyConverters } from './audio/ready-converters.ts';
import { openSpeaker } from './audio/speaker.ts';
import type { Speaker } from './audio/speaker.ts';
import type { Clock } from './ports/clock.ts';
import type { DeviceChoice, SoundDriver } from './ports/sound.ts';

type Tell = (news: SoundNews) => void;

/** Real sound. Nothing of it is loaded before it is asked for. */
export interface SoundDoors {
  readonly sound: SoundDriver;
  /** Both are kept on their devices until they are ended, or the lifetime is. */
  readonly openSpeaker: (choice: DeviceChoice, tell: Tell) => Promise<Speaker>;
  readonly openMicrophone: (
    choice: DeviceChoice,
    hear: (block: Float32Array) => void,
    tell: Tell,
  ) => Promise<Microphone>;
}

interface Needs {
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  /** The place of an echo canceller; none ships. */
  readonly process?: CaptureProcessor | undefined;
}

export function composeSound({ clock, lifetime, process = passThrough }: Needs): SoundDoors {
  const played = new PlayedSound();
  const sound = played.watch(createSoundDriver());
  const open = new Set<() => Promise<void>>();
  lifetime.add(async () => {
    await Promise.all([...open].map((end) => end()));
  });
  /** Forgotten as soon as it has ended: a long run opens many. */
  const kept = <Device extends { readonly end: () => Promise<void> }>(device: Device): Device => {
    const end = (): Promise<void> => {
      open.delete(end);
      return device.end();
    };
    open.add(end);
    if (lifetime.hasEnded) void end();
    return { ...device, end };
  };
  return {
    sound,
    openSpeaker: async (choice, tell) => {
      const speaker = await openSpeaker(choice, {
        ...readyConverters(sound, openRateConverter),
        clock,
        tell,
      });
      return kept(speaker);
    },
    openMicrophone: async (choice, hear, tell) => {
      const microphone = await openMicrophone(choice, {
        ...readyConverters(sound, openRateConverter),
        clock,
        tell,
        hear,
        chain: new CaptureChain({ rate: inputRate, reference: played, process }),
      });
      return kept(microphone);
    },
  };
}
