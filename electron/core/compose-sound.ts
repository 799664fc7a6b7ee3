import type { Lifetime } from '../../shared/lifetime.ts';
import { openResampler } from '../adapters/resampler.ts';
import { createPortAudioDriver } from '../adapters/portaudio-driver.ts';
import { CapturePipeline } from '../sound/capture/capture-pipeline.ts';
import { EchoCancellation } from '../sound/capture/echo-cancellation.ts';
import type { OpenEchoCanceller } from '../sound/capture/echo-canceller.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import { openMicrophone } from '../sound/capture/microphone.ts';
import type { Microphone, OpenMicrophone } from '../sound/capture/microphone.ts';
import { FarEndSignal } from '../sound/capture/far-end.ts';
import { preloadResamplers } from '../sound/devices/preloaded-resamplers.ts';
import { openSpeaker } from '../sound/devices/speaker.ts';
import type { Speaker } from '../sound/devices/speaker.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { DeviceChoice, SoundDriver } from '../ports/sound.ts';

type Tell = (news: DeviceEvent) => void;

/** Real sound. Nothing of it is loaded before it is asked for. */
export interface SoundServices {
  readonly sound: SoundDriver;
  /** Both are kept on their devices until they are ended, or the lifetime is. */
  readonly openSpeaker: (choice: DeviceChoice, emit: Tell) => Promise<Speaker>;
  readonly openMicrophone: OpenMicrophone;
}

interface Deps {
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  readonly log: Log;
  /** For each microphone one; none ships. */
  readonly openEchoCanceller?: OpenEchoCanceller | undefined;
}

export function composeSound(deps: Deps): SoundServices {
  const { clock, lifetime, log, openEchoCanceller } = deps;
  const driver = createPortAudioDriver();
  // Without a canceller nobody asks what was played, and nothing is kept of it.
  const farEnd = openEchoCanceller && new FarEndSignal();
  const sound = farEnd?.watch(driver) ?? driver;
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
  const microphones = new Set<Microphone>();
  lifetime.add(async () => {
    await Promise.all([...microphones].map((microphone) => microphone.end()));
  });
  return {
    sound,
    openSpeaker: async (choice, emit) => {
      const speaker = await openSpeaker(choice, {
        ...preloadResamplers(sound, openResampler),
        clock,
        emit,
      });
      return kept(speaker);
    },
    openMicrophone: async (choice, sink, options) => {
      const echo =
        openEchoCanceller &&
        farEnd &&
        new EchoCancellation({ open: openEchoCanceller, farEnd, log });
      const microphone = await openMicrophone(choice, {
        driver: sound,
        openResampler,
        clock,
        emit: options.emit,
        pipeline: new CapturePipeline(sink, options, echo),
        ended: (one) => microphones.delete(one),
      });
      microphones.add(microphone);
      if (lifetime.hasEnded) void microphone.end();
      return microphone;
    },
  };
}
