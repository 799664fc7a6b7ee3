import { appError } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Page } from '../../shared/ipc/page.ts';
import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { OwnSoundVerdict, OwnSoundWay } from '../../shared/sound/own-sound.ts';
import { RequestRefusedError, unwrap } from '../ipc/request-refused-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { DeviceChoice } from '../ports/sound.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import type { Speaker, SoundOpeners } from '../sound/playback/speaker.ts';
import { judgeOwnSound, OwnSoundRecording } from '../sound/devices/own-sound.ts';
import type { OwnSound } from '../sound/devices/own-sound.ts';
import { resample } from '../sound/dsp/resample.ts';
import { previewVoice } from '../sound/voices/preview-voice.ts';
import type { VoicePreview } from '../sound/voices/preview-voice.ts';
import { DeviceLease } from './device-lease.ts';
import type { DeviceLock } from './device-lock.ts';
import { PageHold } from './page-hold.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

interface Deps extends Pick<SoundOpeners, 'openMicrophone'> {
  /** With its device open. */
  readonly openSpeaker: (
    device: DeviceChoice,
    emit: (event: DeviceEvent) => void,
  ) => Promise<Speaker>;
  readonly settings: Pick<SettingsStore, 'get'>;
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
