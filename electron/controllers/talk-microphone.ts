import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type {
  Microphone,
  MicrophoneCounters,
  OpenMicrophone,
} from '../sound/capture/microphone.ts';
import { isSameDevice } from '../sound/devices/device-choice.ts';

interface Deps {
  readonly openMicrophone: OpenMicrophone;
  readonly onLevel: (level: TalkLevel) => void;
}

/** Whom the devices of a talk are opened for. */
export type TalkDeviceUser = Pick<Conversation, 'pushAudio' | 'onDeviceEvent'>;

/** The microphone of a conversation: open while something may go to a server, and no longer. */
export class TalkMicrophone implements Pick<
  Microphone,
  'latencyMs' | 'voice' | 'hasEcho' | 'hearsSomebody'
> {
  readonly #deps: Deps;
  #audio: AudioSettings;
  #microphone: Microphone | undefined;

  constructor(audio: AudioSettings, deps: Deps) {
    this.#audio = audio;
    this.#deps = deps;
  }

  latencyMs(): number {
    return this.#microphone?.latencyMs() ?? 0;
  }

  voice(): number | undefined {
    return this.#microphone?.voice?.();
  }

  hasEcho(): boolean {
    return this.#microphone?.hasEcho?.() ?? false;
  }

  hearsSomebody(): boolean {
    return this.#microphone?.hearsSomebody?.() ?? false;
  }

  /** Nothing while it is not open. */
  counters(): MicrophoneCounters | undefined {
    return this.#microphone?.counters();
  }

  async open(talk: TalkDeviceUser): Promise<void> {
    if (this.#microphone !== undefined) return;
    const wanted = this.#audio.microphone;
    const microphone = await this.#deps.openMicrophone(wanted, talk, {
      gain: () => this.#audio.inputVolume,
      mayStandIn: () => this.#audio.whileUnplugged === 'system',
      onLevel: ({ rmsDb, halvesDb, peakDb }) => {
        this.#deps.onLevel({ who: 'you', rmsDb, halvesDb, peakDb });
      },
      emit: (event) => {
        talk.onDeviceEvent('microphone', event);
      },
    });
    this.#microphone = microphone;
    // Another one may have been chosen while this one was opened.
    if (!isSameDevice(wanted, this.#audio.microphone))
      void microphone.choose(this.#audio.microphone);
  }

  async end(): Promise<void> {
    await this.#microphone?.end();
    this.#microphone = undefined;
  }

  set(audio: AudioSettings): void {
    const before = this.#audio;
    this.#audio = audio;
    if (!isSameDevice(before.microphone, audio.microphone))
      void this.#microphone?.choose(audio.microphone);
  }
}
