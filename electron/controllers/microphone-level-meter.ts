import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { MeterEvent } from '../../shared/sound/meter-event.ts';
import type { AudioSink } from '../sound/capture/audio-sink.ts';
import type { Microphone } from '../sound/capture/microphone.ts';
import { isSameDevice } from '../sound/devices/device-choice.ts';
import type { SoundOpeners } from '../sound/playback/speaker.ts';

const nobody: AudioSink = { pushAudio: () => undefined };

/** A microphone whose level is shown, and nothing else is done with its sound. */
export class MicrophoneLevelMeter {
  readonly #microphone: Promise<Microphone>;
  #audio: AudioSettings;

  constructor(
    audio: AudioSettings,
    { openMicrophone }: Pick<SoundOpeners, 'openMicrophone'>,
    emit: (event: MeterEvent) => void,
  ) {
    this.#audio = audio;
    this.#microphone = openMicrophone(audio.microphone, nobody, {
      gain: () => this.#audio.inputVolume,
      onLevel: ({ rmsDb, peakDb, clipped }) => {
        emit({ kind: 'level', rmsDb, peakDb, clipped });
      },
      emit: (event) => {
        if (event.kind === 'lost') emit({ kind: 'problem', error: event.error });
        else emit({ kind: 'using', device: event.device });
      },
    });
  }

  async opened(): Promise<this> {
    await this.#microphone;
    return this;
  }

  /** Another microphone, or another volume, while it is looked at. */
  set(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    if (isSameDevice(before.microphone, audio.microphone)) return;
    void this.#microphone.then((microphone) => microphone.choose(audio.microphone));
  }

  readonly end = async (): Promise<void> => {
    const microphone = await this.#microphone;
    await microphone.end();
  };
}
