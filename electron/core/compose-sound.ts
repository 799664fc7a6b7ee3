import type { Lifetime } from '../../shared/lifetime.ts';
import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import { createPortAudioDriver } from '../adapters/portaudio-driver.ts';
import { CapturePipeline, passThrough } from '../sound/capture/capture-pipeline.ts';
import type { EchoCanceller } from '../sound/capture/capture-pipeline.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import { openMicrophone } from '../sound/devices/microphone.ts';
import type { Microphone } from '../sound/devices/microphone.ts';
import { FarEndSignal } from '../sound/capture/far-end.ts';
import { openSpeaker } from '../sound/devices/speaker.ts';
import { SincResampler } from '../sound/dsp/sinc-resampler.ts';
import type { Speaker } from '../sound/devices/speaker.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeviceChoice, SoundDriver } from '../ports/sound.ts';

type Tell = (news: DeviceEvent) => void;

/** Real sound. Nothing of it is loaded before it is asked for. */
export interface SoundServices {
  readonly sound: SoundDriver;
  /** Both are kept on their devices until they are ended, or the lifetime is. */
  readonly openSpeaker: (choice: DeviceChoice, emit: Tell) => Promise<Speaker>;
  readonly openMicrophone: (
    choice: DeviceChoice,
    hear: (block: Float32Array) => void,
    emit: Tell,
  ) => Promise<Microphone>;
}

interface Deps {
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  /** The place of an echo canceller; none ships. */
  readonly process?: EchoCanceller | undefined;
}

const convert = (from: number, to: number) => new SincResampler(from, to);

export function composeSound({ clock, lifetime, process = passThrough }: Deps): SoundServices {
  const played = new FarEndSignal();
  const sound = played.watch(createPortAudioDriver());
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
    openSpeaker: async (choice, emit) => {
      const speaker = await openSpeaker(choice, {
        driver: sound,
        convert,
        clock,
        emit,
      });
      return kept(speaker);
    },
    openMicrophone: async (choice, hear, emit) => {
      const microphone = await openMicrophone(choice, {
        driver: sound,
        convert,
        clock,
        emit,
        hear,
        chain: new CapturePipeline({ rate: inputRate, reference: played, process }),
      });
      return kept(microphone);
    },
  };
}
