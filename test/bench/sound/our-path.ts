import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { unwrap } from '../../fakes/unwrap.ts';
import type { Tone } from './tone.ts';

/** A driver for the sound card. */
export interface SoundPath {
  /** Plays the tone until `flush`. */
  readonly play: () => void;
  readonly flush: () => Promise<void>;
  /** Lost samples by its own counters. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
}

export type OnCaptured = (block: Float32Array) => void;

export async function ourPath(tone: Tone, captured: OnCaptured): Promise<SoundPath> {
  const driver = createPortAudioDriver();
  const speaker = unwrap(await driver.openSpeaker('default', outputRate));
  const microphone = unwrap(await driver.openMicrophone('default', inputRate, { captured }));
  let filling: NodeJS.Timeout | undefined;
  const fill = (): void => {
    const wanted = outputRate - speaker.stats().queued;
    if (wanted > 0) speaker.write(tone.next(wanted));
  };
  return {
    play: () => {
      fill();
      filling = setInterval(fill, 200);
    },
    flush: () => {
      clearInterval(filling);
      speaker.flush();
      return Promise.resolve();
    },
    lost: () => microphone.stats().lost,
    close: async () => {
      clearInterval(filling);
      await Promise.all([speaker.close(), microphone.close()]);
    },
  };
}
