import { isSameDevice, type AudioSettings } from '../../shared/settings/audio-settings.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { type TalkControls, idleTalkView } from '../../shared/talk/talk-view.ts';
import type { SoundOpeners } from '../audio/devices/sound-devices.ts';
import { fadeCurve } from '../audio/dsp/samples.ts';
import type { Speaker } from '../audio/playback/speaker.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

interface Deps extends Pick<SoundOpeners, 'createSpeaker'> {
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
}

/** Plays a sound when push-to-talk opens or closes the microphone of a talk. The core plays it, because pages may be asleep. */
export class MicrophoneSounds {
  readonly #deps: Deps;
  readonly #stopListening: () => void;
  #controls: TalkControls = idleTalkView.controls;
  #isLive = false;
  #isPassing = false;
  /** The speaker is kept open so that sounds start without delay. */
  #isDeviceOpen = false;
  #speaker: Speaker | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stopListening = deps.settings.listen((event) => {
      if (event.kind === 'changed') this.#applySettings(event.settings.audio, event.before.audio);
    });
  }

  readonly onNotice = ({ name, payload }: Notice): void => {
    if (name === 'talkState') this.#isLive = payload.phase === 'live';
    else if (name === 'talkControls') this.#controls = payload;
    else return;
    this.#playTone();
    this.#updateDevice();
  };

  async end(): Promise<void> {
    this.#stopListening();
    await this.#speaker?.end();
  }

  /** Plays a sound for every change; an always open microphone has none. */
  #playTone(): void {
    const { talking, passing } = this.#controls;
    const open = passing && talking !== 'open';
    if (open === this.#isPassing) return;
    this.#isPassing = open;
    if (!this.#deps.settings.get().talking.sounds || (!open && talking === 'open')) return;
    const speaker = this.#ensureSpeaker();
    speaker.flush();
    speaker.write(microphoneTones(open ? 'opened' : 'closed', outputRate));
  }

  #updateDevice(): void {
    const { sounds } = this.#deps.settings.get().talking;
    const shouldBeOpen = sounds && this.#isLive && this.#controls.talking !== 'open';
    if (shouldBeOpen === this.#isDeviceOpen) return;
    this.#isDeviceOpen = shouldBeOpen;
    if (shouldBeOpen) void this.#ensureSpeaker().open();
    else this.#ensureSpeaker().closeWhenHeard();
  }

  #ensureSpeaker(): Speaker {
    if (this.#speaker !== undefined) return this.#speaker;
    const { speaker: device, playbackVolume } = this.#deps.settings.get().audio;
    // The talk's speaker reports device errors already.
    this.#speaker = this.#deps.createSpeaker({ device, emit: () => undefined });
    this.#speaker.setVolume(playbackVolume);
    return this.#speaker;
  }

  #applySettings(audio: AudioSettings, before: AudioSettings): void {
    this.#speaker?.setVolume(audio.playbackVolume);
    if (!isSameDevice(audio.speaker, before.speaker)) void this.#speaker?.choose(audio.speaker);
    this.#updateDevice();
  }
}

const noteSeconds = 0.07;
const fadeSeconds = 0.02;
/** Two notes a fifth apart, in hertz: they rise when the microphone opens and fall when it closes. */
const lowHz = 523.25;
const highHz = 783.99;
/** Quiet enough that a microphone near the speaker does not detect speech. */
const loudness = 0.06;

/** Returns two short notes that announce the microphone's state. */
export function microphoneTones(kind: 'opened' | 'closed', rate: number): Float32Array {
  const notes = kind === 'opened' ? [lowHz, highHz] : [highHz, lowHz];
  const length = Math.round(noteSeconds * rate);
  const tones = new Float32Array(notes.length * length);
  const curve = fadeCurve(Math.round(fadeSeconds * rate));
  notes.forEach((hertz, note) => {
    for (let n = 0; n < length; n += 1) {
      const edge = curve[Math.min(n, length - 1 - n)] ?? 1;
      tones[note * length + n] = loudness * edge * Math.sin((2 * Math.PI * hertz * n) / rate);
    }
  });
  return tones;
}
