import type { OwnSoundVerdict, OwnSoundWay } from '../../../shared/audio/sound-tests.ts';
import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { type Page, PageHold } from '../../../shared/ipc/page.ts';
import { RequestRefusedError, unwrap } from '../../../shared/ipc/reply.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { SettingsReader } from '../../../shared/settings/settings.ts';
import type { AudioSink } from '../capture/capture-pipeline.ts';
import type { Microphone, MicrophoneOptions, OpenMicrophone } from '../capture/microphone.ts';
import {
  blockLevels,
  inaudibleDb,
  isClipped,
  loudLevel,
  quietDb,
  speechLevel,
  speechThreshold,
} from '../dsp/loudness.ts';
import { resample } from '../dsp/sinc-resampler.ts';
import { previewVoice, type VoicePreview } from '../playback/preview-voice.ts';
import type { SoundOpeners, Speaker } from '../playback/speaker.ts';
import { DeviceLease, type DeviceLock } from './device-lease.ts';
import type { DeviceChoice } from './sound-driver.ts';
import type { DeviceEvent } from './stream-supervisor.ts';

interface Deps extends Pick<SoundOpeners, 'openMicrophone'> {
  /** With its device open. */
  readonly openSpeaker: (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly settings: Pick<SettingsReader, 'get'>;
  readonly clock: Clock;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
}

/** The answer to its request tells the page why. */
const stopped = (): void => undefined;

/** A page lets somebody hear themselves. What they said is in memory, for that page, and nowhere else. */
export class OwnSoundController {
  readonly #deps: Deps;
  readonly #recording: DeviceLease<OwnSoundRecording>;
  readonly #playing: DeviceLease<VoicePreview>;
  #kept: { readonly sound: OwnSound; readonly page: Page } | undefined;
  readonly #listening = new PageHold();

  constructor(deps: Deps) {
    const { lock } = deps;
    this.#deps = deps;
    this.#recording = new DeviceLease({ lock, stopped, close: (begun) => begun.end() });
    this.#playing = new DeviceLease({ lock, stopped, close: (begun) => begun.stop() });
  }

  readonly record = async (page: Page): Promise<OwnSoundVerdict> => {
    this.#forgetKept();
    const { openMicrophone, settings, post } = this.#deps;
    let begun: OwnSoundRecording | undefined;
    // Not before the devices are free, and not at all where they are not.
    const open = async (): Promise<Outcome<OwnSoundRecording>> => {
      begun = new OwnSoundRecording({
        openMicrophone,
        audio: () => settings.get().audio,
        onLevel: ({ rmsDb, peakDb, clipped }) => {
          post('microphoneMeter', { kind: 'level', rmsDb, peakDb, clipped });
        },
      });
      return { ok: true, value: await begun.opened() };
    };
    unwrap(await this.#recording.begin(page, open));
    const finished = await begun?.finished;
    await begun?.end();
    if (begun !== undefined) this.#recording.ended(begun);
    if (finished === undefined) throw new RequestRefusedError(appError('testStopped'));
    const sound = unwrap(finished);
    this.#kept = { sound, page };
    this.#listening.hold(page, this.#forgetKept);
    return judgeOwnSound(sound);
  };

  readonly play = async (as: OwnSoundWay, page: Page): Promise<undefined> => {
    const kept = this.#kept;
    if (kept?.page !== page) throw new RequestRefusedError(appError('ownSoundGone'));
    const lost: AppError[] = [];
    let preview: VoicePreview | undefined;
    const open = async (): Promise<Outcome<VoicePreview>> => {
      preview = await this.#play(kept.sound[as], lost);
      return { ok: true, value: preview };
    };
    unwrap(await this.#playing.begin(page, open));
    await preview?.ended;
    if (preview !== undefined) this.#playing.ended(preview);
    const [error] = lost;
    if (error !== undefined) throw new RequestRefusedError(error);
    return undefined;
  };

  readonly forget = async (): Promise<undefined> => {
    this.#forgetKept();
    await Promise.all([this.#recording.cancel(), this.#playing.cancel()]);
    return undefined;
  };

  readonly #forgetKept = (): void => {
    this.#kept = undefined;
    this.#listening.release();
  };

  /** A speaker that is gone is told at once, and not waited for. */
  async #play(sound: Float32Array, lost: AppError[]): Promise<VoicePreview> {
    const { openSpeaker, settings, clock } = this.#deps;
    const { speaker: device, playbackVolume } = settings.get().audio;
    const stops: (() => Promise<void>)[] = [];
    const speaker = await openSpeaker(device, (event) => {
      if (event.kind !== 'lost') return;
      lost.push(event.error);
      for (const stop of stops) void stop();
    });
    speaker.setVolume(playbackVolume);
    const preview = previewVoice(resample(sound, inputRate, outputRate), { speaker, clock });
    stops.push(preview.stop);
    if (lost.length > 0) await preview.stop();
    return preview;
  }
}

/** A sentence or two. */
const ownSoundSeconds = 5;

/** 16 kHz mono, in memory only. */
export type OwnSound = Readonly<Record<OwnSoundWay, Float32Array>>;

interface OwnSoundDeps {
  readonly openMicrophone: (
    ...args: Parameters<OpenMicrophone>
  ) => Promise<Pick<Microphone, 'end'>>;
  readonly audio: () => Pick<AudioSettings, 'microphone' | 'inputVolume'>;
  readonly onLevel?: MicrophoneOptions['onLevel'];
}

/** What somebody says for a few seconds, as the microphone hears it and as it would go to a server. */
export class OwnSoundRecording implements AudioSink {
  readonly #captured = new Float32Array(ownSoundSeconds * inputRate);
  readonly #sent = new Float32Array(ownSoundSeconds * inputRate);
  readonly #microphone: Promise<Pick<Microphone, 'end'>>;
  #finish: (outcome: Outcome<OwnSound> | undefined) => void = () => undefined;
  #came = 0;
  #went = 0;
  /** Nothing, where it was ended before that. */
  readonly finished: Promise<Outcome<OwnSound> | undefined>;

  constructor({ openMicrophone, audio, onLevel }: OwnSoundDeps) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#microphone = openMicrophone(audio().microphone, this, {
      gain: () => audio().inputVolume,
      onLevel,
      onCaptured: (block) => {
        this.#came = append(this.#captured, this.#came, block);
      },
      emit: (event) => {
        if (event.kind === 'lost') this.#fail(event.error);
      },
    });
  }

  async opened(): Promise<this> {
    await this.#microphone;
    return this;
  }

  pushAudio(block: Float32Array): void {
    this.#went = append(this.#sent, this.#went, block);
    if (this.#went < this.#sent.length) return;
    this.#finish({ ok: true, value: { captured: this.#captured, sent: this.#sent } });
  }

  readonly end = async (): Promise<void> => {
    this.#finish(undefined);
    await (await this.#microphone).end();
  };

  #fail(error: AppError): void {
    this.#finish({ ok: false, error });
  }
}

/** Clipping is looked for in both: by what the microphone does, and by a volume that is set too high. */
export function judgeOwnSound({ captured, sent }: OwnSound): OwnSoundVerdict {
  const loud = loudLevel(blockLevels(captured, inputRate));
  if (loud < inaudibleDb) return 'unheard';
  if (isClipped(captured) || isClipped(sent)) return 'clipped';
  const levels = blockLevels(sent, inputRate);
  return speechLevel(levels, speechThreshold(loudLevel(levels))) < quietDb ? 'quiet' : 'good';
}

function append(whole: Float32Array, at: number, block: Float32Array): number {
  const taken = block.subarray(0, whole.length - at);
  whole.set(taken, at);
  return at + taken.length;
}
