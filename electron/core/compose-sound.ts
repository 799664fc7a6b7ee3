import type { Lifetime } from '../../shared/lifetime.ts';
import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import { openResampler } from '../adapters/resampler.ts';
import { createPortAudioDriver } from '../adapters/portaudio-driver.ts';
import { CapturePipeline, passThrough } from '../sound/capture/capture-pipeline.ts';
import type { EchoCanceller } from '../sound/capture/capture-pipeline.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import { openMicrophone } from '../sound/devices/microphone.ts';
import type { Microphone } from '../sound/devices/microphone.ts';
import { FarEndSignal } from '../sound/capture/far-end.ts';
import { preloadResamplers } from '../sound/devices/preloaded-resamplers.ts';
import { Speaker } from '../sound/playback/speaker.ts';
import type { SpeakerOptions } from '../sound/playback/speaker.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeviceChoice, SoundDriver } from '../ports/sound.ts';

type Tell = (news: DeviceEvent) => void;

/** Real sound. Nothing of it is loaded before it is asked for. */
export interface SoundServices {
  readonly sound: SoundDriver;
  /** Ends with the lifetime, if it was not ended before; so does each of the following. */
  readonly createSpeaker: (options: SpeakerOptions) => Speaker;
  /** The same with its device open, and kept open. */
  readonly openSpeaker: (device: DeviceChoice, emit: Tell) => Promise<Speaker>;
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
  const speakers = new Set<Speaker>();
  lifetime.add(async () => {
    await Promise.all([...speakers].map((speaker) => speaker.end()));
  });
  const createSpeaker = (options: SpeakerOptions): Speaker => {
    const ended = (speaker: Speaker): boolean => speakers.delete(speaker);
    const speaker = new Speaker(options, { driver: sound, openResampler, clock, ended });
    speakers.add(speaker);
    if (lifetime.hasEnded) void speaker.end();
    return speaker;
  };
  return {
    sound,
    createSpeaker,
    openSpeaker: async (device, emit) => {
      const speaker = createSpeaker({ device, emit });
      await speaker.open();
      return speaker;
    },
    openMicrophone: async (choice, hear, emit) => {
      const microphone = await openMicrophone(choice, {
        ...preloadResamplers(sound, openResampler),
        clock,
        emit,
        hear,
        chain: new CapturePipeline({ rate: inputRate, reference: played, process }),
      });
      return kept(microphone);
    },
  };
}
