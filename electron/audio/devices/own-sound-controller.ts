import type { OwnSoundVerdict, OwnSoundWay } from '../../../shared/audio/sound-tests.ts';
import { appError, type AppError, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Page, PageHold } from '../../../shared/ipc/page.ts';
import { RequestRefusedError, unwrap } from '../../../shared/ipc/reply.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { VoiceRecordingEvent } from '../../../shared/settings/stored-voice.ts';
import { MicrophoneTake, type MicrophoneTakeOptions } from '../capture/microphone-take.ts';
import {
  blockLevels,
  inaudibleDb,
  isClipped,
  loudLevel,
  quietDb,
  speechLevel,
  speechThreshold,
} from '../dsp/loudness.ts';
import { joinSamples } from '../dsp/samples.ts';
import { resample } from '../dsp/sinc-resampler.ts';
import { previewVoice, type VoicePreview } from '../playback/preview-voice.ts';
import { DeviceLease } from './device-lease.ts';
import type { SoundControllerDeps } from './sound-devices.ts';

/** The answer to its request tells the page why. */
const stopped = (): void => undefined;

/** A page lets somebody hear themselves. What they said is in memory, for that page, and nowhere else. */
export class OwnSoundController {
  readonly #deps: SoundControllerDeps;
  readonly #recording: DeviceLease<OwnSoundRecording>;
  readonly #playing: DeviceLease<VoicePreview>;
  #kept: { readonly sound: OwnSound; readonly page: Page } | undefined;
  readonly #listening = new PageHold();

  constructor(deps: SoundControllerDeps) {
    const { lock } = deps;
    this.#deps = deps;
    this.#recording = new DeviceLease({ lock, stopped, close: (begun) => begun.end() });
    this.#playing = new DeviceLease({ lock, stopped, close: (begun) => begun.stop() });
  }

  readonly record = async (page: Page): Promise<OwnSoundVerdict> => {
    this.#forgetKept();
    const { devices, settings, post } = this.#deps;
    // Not before the devices are free, and not at all where they are not.
    const open = async (): Promise<Outcome<OwnSoundRecording>> => {
      const recording = new OwnSoundRecording({
        devices,
        audio: () => settings.get().audio,
        onLevel: ({ rmsDb, peakDb, clipped }) => {
          post('microphoneMeter', { kind: 'level', rmsDb, peakDb, clipped });
        },
      });
      return { ok: true, value: await recording.opened() };
    };
    const recorded = unwrap(await this.#recording.run(page, open, ({ finished }) => finished));
    if (recorded === undefined) throw new RequestRefusedError(appError('testStopped'));
    const sound = unwrap(recorded);
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
    const { devices, settings, clock } = this.#deps;
    const { speaker: device, playbackVolume } = settings.get().audio;
    const stops: (() => Promise<void>)[] = [];
    const speaker = await devices.openSpeaker(device, (event) => {
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

type RecordedLevel = Extract<VoiceRecordingEvent, { kind: 'level' }>;

/** 16 kHz mono, in memory only. */
export type OwnSound = Readonly<Record<OwnSoundWay, Float32Array>>;

interface OwnSoundDeps extends Pick<MicrophoneTakeOptions, 'devices' | 'audio'> {
  readonly onLevel?: ((level: RecordedLevel) => void) | undefined;
}

/** Records somebody for a few seconds, as the microphone hears them and as it would go to a server. */
export class OwnSoundRecording {
  readonly #captured: Float32Array[] = [];
  readonly #take: MicrophoneTake;
  #finish: (outcome: Outcome<OwnSound> | undefined) => void = () => undefined;
  /** Nothing, where it was ended before that. */
  readonly finished: Promise<Outcome<OwnSound> | undefined>;

  constructor({ devices, audio, onLevel }: OwnSoundDeps) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#take = new MicrophoneTake({
      devices,
      audio,
      maxSeconds: ownSoundSeconds,
      onCaptured: (block) => {
        this.#captured.push(block.slice());
      },
      emit: (event) => {
        if (event.kind === 'level') onLevel?.(event);
        else
          this.#finish(event.kind === 'full' ? this.#whole() : { ok: false, error: event.error });
      },
    });
  }

  async opened(): Promise<this> {
    await this.#take.opened();
    return this;
  }

  readonly end = (): Promise<void> => {
    this.#finish(undefined);
    return this.#take.end();
  };

  /** The captured sound comes first: a canceller holds some of it back. */
  #whole(): Outcome<OwnSound> {
    const sent = this.#take.samples();
    const captured = joinSamples(this.#captured).subarray(0, sent.length);
    return { ok: true, value: { captured, sent } };
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
