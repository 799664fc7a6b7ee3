import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { MeterEvent } from '../../shared/sound/meter-event.ts';
import { LevelMeter } from '../sound/dsp/level-meter.ts';
import type { Microphone } from '../sound/devices/microphone.ts';
import { applyGain } from '../sound/dsp/apply-gain.ts';
import { isSameDevice } from '../sound/devices/same-device.ts';
import type { SoundOpeners } from './talk-sound-devices.ts';

/** A microphone whose level is shown, and nothing else done with what it hears. */
export class MicrophoneLevelMeter {
  readonly #microphone: Promise<Microphone>;
  #audio: AudioSettings;

  constructor(
    audio: AudioSettings,
    { openMicrophone }: Pick<SoundOpeners, 'openMicrophone'>,
    emit: (news: MeterEvent) => void,
  ) {
    this.#audio = audio;
    const meter = new LevelMeter(inputRate, (level) => {
      emit({ kind: 'level', ...level });
    });
    this.#microphone = openMicrophone(
      audio.microphone,
      (block) => {
        applyGain(block, this.#audio.inputVolume);
        meter.push(block);
      },
      (news) => {
        if (news.kind === 'lost') emit({ kind: 'problem', error: news.error });
        else emit({ kind: 'using', device: news.device });
      },
    );
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
