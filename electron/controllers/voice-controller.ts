import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { languages } from '../../shared/i18n/languages.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { VoiceRecordingEvent } from '../../shared/voices/stored-voice.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import { sessionSettingsOf } from '../settings/session-settings.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { resample } from '../sound/dsp/resample.ts';
import { previewVoice } from '../sound/voices/preview-voice.ts';
import type { VoicePreview } from '../sound/voices/preview-voice.ts';
import { recordVoice } from '../sound/voices/record-voice.ts';
import type { VoiceRecording } from '../sound/voices/record-voice.ts';
import type { VoiceLibrary } from '../sound/voices/voice-library.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import type { OpenMicrophone } from '../sound/capture/microphone.ts';
import type { Speaker } from '../sound/playback/speaker.ts';

interface Deps {
  readonly openMicrophone: OpenMicrophone;
  readonly openSpeaker: (device: DeviceChoice, emit: () => void) => Promise<Speaker>;
  readonly settings: Pick<SettingsStore, 'get' | 'change'>;
  readonly library: VoiceLibrary;
  readonly clock: Clock;
}

/** Reference voices with what the settings have to do with them: the chosen ones, devices, volume. */
export class VoiceController {
  readonly #deps: Deps;
  #preview: VoicePreview | undefined;
  #missing: readonly AppError[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A voice that is no more is chosen by nobody. */
  readonly remove = async (id: string): Promise<Outcome<undefined>> => {
    const { library, settings } = this.#deps;
    const removed = await library.remove(id);
    const { model, speech } = settings.get().voices;
    if (removed.ok && model === id) settings.change({ voices: { model: 'none' } });
    if (removed.ok && speech === id) settings.change({ voices: { speech: 'none' } });
    return removed;
  };

  readonly record = (
    name: string,
    emit: (event: VoiceRecordingEvent) => void,
  ): Promise<VoiceRecording> => {
    const { library, settings, openMicrophone } = this.#deps;
    return recordVoice(name, { library, emit, openMicrophone, audio: () => settings.get().audio });
  };

  readonly preview = async (id: string): Promise<Outcome<VoicePreview>> => {
    const { library, settings, openSpeaker, clock } = this.#deps;
    const sound = await library.sound(id);
    if (!sound.ok) return sound;
    await this.#preview?.stop();
    const { speaker: device, playbackVolume } = settings.get().audio;
    const speaker = await openSpeaker(device, () => undefined);
    speaker.setVolume(playbackVolume);
    const samples = resample(sound.value, inputRate, outputRate);
    this.#preview = previewVoice(samples, { speaker, clock });
    return { ok: true, value: this.#preview };
  };

  /** What a session is configured with, as the settings have it now: instructions, voices, generation. */
  readonly sessionSettings = async (language: Language): Promise<Outcome<SessionSettings>> => {
    const now = this.#deps.settings.get();
    this.#missing = [];
    const model = await this.#soundOf(now.voices.model);
    if (!model.ok) return model;
    const speech = await this.#soundOf(now.voices.speech);
    if (!speech.ok) return speech;
    const voice = { model: model.value, speech: speech.value };
    const { presets } = await languages[language].core();
    return { ok: true, value: sessionSettingsOf(now, presets, voice) };
  };

  /** What the settings name, and the session that was configured last has to do without. */
  readonly missingVoices = (): readonly AppError[] => this.#missing;

  readonly end = (): Promise<void> | undefined => this.#preview?.stop();

  /** Nothing where none is chosen. */
  async #soundOf(id: string): Promise<Outcome<Float32Array | undefined>> {
    if (id === 'none') return { ok: true, value: undefined };
    const sound = await this.#deps.library.sound(id);
    if (sound.ok) return sound;
    // A talk in another voice is better than none.
    this.#missing = [appError('voiceStandsIn', {}, { cause: sound.error })];
    return { ok: true, value: undefined };
  }
}
