import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import { type Language, languages } from '../../../shared/i18n/languages.ts';
import type { VoiceHandlers } from '../../../shared/ipc/audio-ipc.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import {
  type SessionSettings,
  inputRate,
  outputRate,
} from '../../../shared/protocol/realtime-api.ts';
import type { StoredVoice, VoiceRecordingEvent } from '../../../shared/settings/audio-settings.ts';
import {
  MicrophoneRecording,
  type MicrophoneRecordingOptions,
} from '../../audio/capture/microphone-recording.ts';
import { DeviceLease, type DeviceLock } from '../../audio/devices/device-lease.ts';
import type { SoundOpeners } from '../../audio/devices/sound-devices.ts';
import { resample } from '../../audio/dsp/sinc-resampler.ts';
import { previewVoice, type VoicePreview } from '../../audio/playback/preview-voice.ts';
import { toSessionSettings } from '../core-texts.ts';
import type { SettingsStore } from '../settings-store.ts';
import { maxRecordingSeconds, type VoiceLibrary } from './voice-library.ts';

interface Deps {
  readonly devices: SoundOpeners;
  readonly settings: Pick<SettingsStore, 'get' | 'change'>;
  readonly library: VoiceLibrary;
  readonly clock: Clock;
}

/** Combines reference voices with the settings: chosen voices, devices, volume. */
export class VoiceController {
  readonly #deps: Deps;
  #preview: VoicePreview | undefined;
  #missing: readonly AppError[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Removes a voice, and unselects it if it was chosen. */
  readonly remove = async (id: string): Promise<Outcome<undefined>> => {
    const { library, settings } = this.#deps;
    const removed = await library.remove(id);
    const { voices, chat } = settings.get();
    const { model, speech } = voices;
    if (removed.ok && model === id) settings.change({ voices: { model: 'none' } });
    if (removed.ok && speech === id) settings.change({ voices: { speech: 'none' } });
    if (removed.ok && chat.voice === id) settings.change({ chat: { voice: 'none' } });
    return removed;
  };

  readonly record = (
    name: string,
    emit: (event: VoiceRecordingEvent) => void,
  ): Promise<VoiceRecording> => {
    const { library, settings, devices } = this.#deps;
    return recordVoice(name, { library, emit, devices, audio: () => settings.get().audio });
  };

  readonly preview = async (id: string): Promise<Outcome<VoicePreview>> => {
    const { library, settings, devices, clock } = this.#deps;
    const sound = await library.sound(id);
    if (!sound.ok) return sound;
    await this.#preview?.stop();
    const { speaker: device, playbackVolume } = settings.get().audio;
    const speaker = await devices.openSpeaker(device, () => undefined);
    speaker.setVolume(playbackVolume);
    const samples = resample(sound.value, inputRate, outputRate);
    this.#preview = previewVoice(samples, { speaker, clock });
    return { ok: true, value: this.#preview };
  };

  /** The configuration of a session according to the current settings: instructions, voices, generation. */
  readonly sessionSettings = async (language: Language): Promise<Outcome<SessionSettings>> => {
    const settings = this.#deps.settings.get();
    this.#missing = [];
    const model = await this.#loadSound(settings.voices.model);
    if (!model.ok) return model;
    const speech = await this.#loadSound(settings.voices.speech);
    if (!speech.ok) return speech;
    const voice = { model: model.value, speech: speech.value };
    const { presets } = await languages[language].core();
    return { ok: true, value: toSessionSettings(settings, presets, voice) };
  };

  /**
   * The error to show if a chosen voice was missing when a session was last configured. At most one, because two would have the same text.
   */
  readonly missingVoiceErrors = (): readonly AppError[] => this.#missing;

  readonly end = (): Promise<void> | undefined => this.#preview?.stop();

  async #loadSound(id: string): Promise<Outcome<Float32Array | undefined>> {
    if (id === 'none') return done;
    const sound = await this.#deps.library.sound(id);
    if (sound.ok) return sound;
    // A talk with the default voice is better than none.
    this.#missing = [appError('voiceStandsIn', {}, { cause: sound.error })];
    return done;
  }
}

export interface VoiceHandlerDeps {
  readonly library: Pick<VoiceLibrary, 'list' | 'importBytes' | 'rename'>;
  readonly voices: Pick<VoiceController, 'remove' | 'record' | 'preview'>;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
}

export function createVoiceHandlers({
  library,
  voices,
  lock,
  post,
}: VoiceHandlerDeps): VoiceHandlers {
  const recording = new DeviceLease<VoiceRecording>({
    lock,
    close: (begun) => begun.cancel(),
    onPreempted: () => post('voiceRecording', { kind: 'stopped' }),
  });
  let previewedId: string | undefined;
  const preview = new DeviceLease<VoicePreview>({
    lock,
    close: (begun) => begun.stop(),
    onPreempted: () => undefined,
  });

  async function postEnd(id: string, begun: VoicePreview): Promise<void> {
    await begun.ended;
    post('voicePreview', { id, playing: false });
    preview.release(begun);
  }

  /** Serialized, so an older list cannot arrive after a newer one. */
  const lists = new SerialQueue();
  const postList = async (): Promise<void> => {
    const list = await library.list();
    if (list.ok) post('voicesChanged', list.value);
  };

  /** Posts the whole list, because the page shows most of it. */
  async function changed<Value>(outcome: Outcome<Value>): Promise<Outcome<Value>> {
    if (outcome.ok) await lists.run(postList);
    return outcome;
  }

  return {
    voices: () => library.list(),
    importVoice: async ({ name, wav }) => changed(await library.importBytes(name, wav)),
    renameVoice: async ({ id, name }) => changed(await library.rename(id, name)),
    removeVoice: async ({ id }) => {
      if (id === previewedId) await preview.cancel();
      return changed(await voices.remove(id));
    },
    recordVoice: ({ name }, page) => {
      const open = async (): Promise<Outcome<VoiceRecording>> => ({
        ok: true,
        value: await voices.record(name, (event) => post('voiceRecording', event)),
      });
      return recording.begin(page, open);
    },
    saveRecordedVoice: async () => {
      const saved = await recording.finish((begun) => begun.stop());
      return saved === undefined ? failure('notRecording') : changed(saved);
    },
    cancelVoiceRecording: () => recording.cancel(),
    previewVoice: ({ id }, page) => {
      const open = async (): Promise<Outcome<VoicePreview>> => {
        const begun = await voices.preview(id);
        if (!begun.ok) return begun;
        previewedId = id;
        post('voicePreview', { id, playing: true });
        void postEnd(id, begun.value);
        return begun;
      };
      return preview.begin(page, open);
    },
    stopVoicePreview: () => preview.cancel(),
  };
}

interface VoiceRecording {
  /** Turns the recording into a stored voice. The microphone closes in any case. */
  readonly stop: () => Promise<Outcome<StoredVoice>>;
  readonly cancel: () => Promise<void>;
}

interface RecordVoiceDeps extends Pick<MicrophoneRecordingOptions, 'devices' | 'audio' | 'emit'> {
  readonly library: Pick<VoiceLibrary, 'keep'>;
}

export async function recordVoice(
  name: string,
  { library, devices, audio, emit }: RecordVoiceDeps,
): Promise<VoiceRecording> {
  const recording = new MicrophoneRecording({
    devices,
    audio,
    emit,
    maxSeconds: maxRecordingSeconds,
  });
  await recording.opened();
  let stopped: Promise<Outcome<StoredVoice>> | undefined;
  return {
    stop: () => {
      // A second press saves no second voice.
      stopped ??= recording.end().then(() => library.keep(name, recording.samples()));
      return stopped;
    },
    cancel: () => {
      stopped ??= Promise.resolve(failure('notRecording'));
      return recording.end();
    },
  };
}
