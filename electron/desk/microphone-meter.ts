import { inputRate } from '../../shared/protocol/limits.ts';
import type { AudioSettings } from '../../shared/settings/groups.ts';
import type { MeterNews } from '../../shared/sound/meter-news.ts';
import { LevelMeter } from '../audio/level-meter.ts';
import type { Microphone } from '../audio/microphone.ts';
import { amplify } from './amplify.ts';
import { isSameDevice } from './same-device.ts';
import type { SoundOpeners } from './talk-devices.ts';

/** A microphone whose level is shown, and nothing else done with what it hears. */
export class MicrophoneMeter {
  readonly #microphone: Promise<Microphone>;
  #audio: AudioSettings;

  constructor(
    audio: AudioSettings,
    { openMicrophone }: Pick<SoundOpeners, 'openMicrophone'>,
    tell: (news: MeterNews) => void,
  ) {
    this.#audio = audio;
    const meter = new LevelMeter(inputRate, (level) => {
      tell({ kind: 'level', ...level });
    });
    this.#microphone = openMicrophone(
      audio.microphone,
      (block) => {
        amplify(block, this.#audio.inputVolume);
        meter.push(block);
      },
      (news) => {
        if (news.kind === 'lost') tell({ kind: 'problem', problem: news.problem, why: news.why });
        else tell({ kind: 'using', device: news.device });
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
