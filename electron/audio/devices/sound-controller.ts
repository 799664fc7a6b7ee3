import {
  isSameDevice,
  type ListedDevice,
  type AudioSettings,
  type VoiceRecordingEvent,
} from '../../../shared/settings/audio-settings.ts';
import type {
  MeterEvent,
  OwnSoundVerdict,
  OwnSoundVersion,
} from '../../../shared/audio/sound-tests.ts';
import { type AppError, done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { SoundHandlers } from '../../../shared/ipc/audio-ipc.ts';
import { type Page, PageCleanup, NoticeSubscribers } from '../../../shared/ipc/page.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSink, Microphone } from '../capture/microphone.ts';
import {
  MicrophoneRecording,
  type MicrophoneRecordingOptions,
} from '../capture/microphone-recording.ts';
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
import { LoopbackTest } from './loopback-test.ts';
import type { SoundControllerDeps, SoundOpeners } from './sound-devices.ts';
import type { SoundDriver } from './sound-driver.ts';

/**
 * Answers the requests of pages about sound devices: the list, the microphone's level, the loopback test, and the user's own
 * sound.
 */
export class SoundController {
  readonly #deps: SoundControllerDeps;
  readonly #metering: DeviceLease<MicrophoneLevelMeter>;
  readonly #testing: DeviceLease<LoopbackTest>;
  #meter: MicrophoneLevelMeter | undefined;
  readonly handlers: SoundHandlers;

  constructor(deps: SoundControllerDeps & DeviceWatcherDeps) {
    const { lock, post, settings } = deps;
    this.#deps = deps;
    this.#metering = new DeviceLease({
      lock,
      close: (meter) => meter.end(),
      onPreempted: () => post('microphoneMeter', { kind: 'stopped' }),
    });
    this.#testing = new DeviceLease({
      lock,
      close: (test) => test.end(),
      // The page learns the reason from the reply to its request.
      onPreempted: () => undefined,
    });
    settings.listen((event) => {
      if (event.kind === 'changed') this.#meter?.set(event.settings.audio);
    });
    this.handlers = {
      ...new DeviceWatcher(deps).handlers,
      meterMicrophone: ({ on }, page) => this.#showLevel(on, page),
      ...new OwnSoundController(deps).handlers,
      testSound: (_input, page) => {
        const { devices, clock } = deps;
        const test = new LoopbackTest(devices, clock, settings.get().audio);
        const open = (): Promise<Outcome<LoopbackTest>> =>
          Promise.resolve({ ok: true, value: test });
        return this.#testing.run(page, open, () => test.run());
      },
    };
  }

  async #showLevel(on: boolean, page: Page): Promise<Outcome<undefined>> {
    if (on) return this.#metering.begin(page, () => this.#openMeter());
    await this.#metering.cancel();
    return done;
  }

  async #openMeter(): Promise<Outcome<MicrophoneLevelMeter>> {
    const { devices, settings, post } = this.#deps;
    this.#meter = new MicrophoneLevelMeter(settings.get().audio, devices, (event) =>
      post('microphoneMeter', event),
    );
    return { ok: true, value: await this.#meter.opened() };
  }
}

const discardingSink: AudioSink = { pushAudio: () => undefined };

class MicrophoneLevelMeter {
  readonly #microphone: Promise<Microphone>;
  #audio: AudioSettings;

  constructor(audio: AudioSettings, devices: SoundOpeners, emit: (event: MeterEvent) => void) {
    this.#audio = audio;
    this.#microphone = devices.openMicrophone(audio.microphone, discardingSink, {
      gain: () => this.#audio.inputVolume,
      onLevel: ({ rmsDb, peakDb, clipped }) => emit({ kind: 'level', rmsDb, peakDb, clipped }),
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

interface DeviceWatcherDeps extends Pick<SoundControllerDeps, 'clock' | 'post'> {
  readonly sound: Pick<SoundDriver, 'devices'>;
}

type Devices = readonly ListedDevice[];

/** PortAudio does not report added or removed devices, so the list is polled while a page shows it. */
const pollEveryMs = 3000;

/** Lists the sound devices, and posts each change of the list while a page shows it. */
export class DeviceWatcher {
  readonly #deps: DeviceWatcherDeps;
  readonly #pages = new NoticeSubscribers(() => {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  });
  #known: Devices | undefined;
  #stopWaiting: (() => void) | undefined;
  #checking = false;

  constructor(deps: DeviceWatcherDeps) {
    this.#deps = deps;
  }

  readonly handlers: Pick<SoundHandlers, 'soundDevices' | 'watchSoundDevices'> = {
    soundDevices: () => this.#list(),
    watchSoundDevices: ({ on }, page) => {
      this.#pages.set(page, on);
      this.#scheduleCheck();
    },
  };

  async #list(): Promise<Outcome<Devices>> {
    const found = await this.#deps.sound.devices();
    const before = this.#known;
    // After a failure the known list is empty, so the next list with a device differs from it and is posted. That
    // list replaces the page's error message.
    this.#known = found.ok ? found.value : [];
    if (!found.ok) return found;
    if (this.#pages.hasPages && before !== undefined && !isSameJson(before, found.value)) {
      this.#deps.post('soundDevicesChanged', found.value);
    }
    return found;
  }

  /**
   * Schedules the next check only after the last has ended, so that a hanging sound system is never asked twice at
   * once.
   */
  #scheduleCheck(): void {
    if (!this.#pages.hasPages || this.#checking || this.#stopWaiting !== undefined) return;
    this.#stopWaiting = this.#deps.clock.after(pollEveryMs, () => {
      this.#stopWaiting = undefined;
      void this.#check();
    });
  }

  async #check(): Promise<void> {
    this.#checking = true;
    try {
      // If listing fails, the page keeps its list or its error message.
      await this.#list();
    } finally {
      this.#checking = false;
      this.#scheduleCheck();
    }
  }
}

const ignorePreemption = (): void => undefined;

/** Lets the user hear their own microphone. The recording stays in memory, for that page only. */
class OwnSoundController {
  readonly #deps: SoundControllerDeps;
  readonly #recording: DeviceLease<OwnSoundRecording>;
  readonly #playing: DeviceLease<VoicePreview>;
  #recorded: { readonly sound: OwnSound; readonly page: Page } | undefined;
  readonly #pageCleanup = new PageCleanup();

  constructor(deps: SoundControllerDeps) {
    const { lock } = deps;
    this.#deps = deps;
    this.#recording = new DeviceLease({
      lock,
      onPreempted: ignorePreemption,
      close: (begun) => begun.end(),
    });
    this.#playing = new DeviceLease({
      lock,
      onPreempted: ignorePreemption,
      close: (begun) => begun.stop(),
    });
  }

  readonly handlers: Pick<SoundHandlers, 'recordOwnSound' | 'playOwnSound' | 'forgetOwnSound'> = {
    recordOwnSound: (_input, page) => this.#record(page),
    playOwnSound: ({ as }, page) => this.#playFor(page, as),
    forgetOwnSound: async () => {
      this.#discardRecorded();
      await Promise.all([this.#recording.cancel(), this.#playing.cancel()]);
    },
  };

  async #record(page: Page): Promise<Outcome<OwnSoundVerdict>> {
    this.#discardRecorded();
    const { devices, settings, post } = this.#deps;
    const open = async (): Promise<Outcome<OwnSoundRecording>> => {
      const recording = new OwnSoundRecording({
        devices,
        audio: () => settings.get().audio,
        onLevel: ({ rmsDb, peakDb, clipped }) =>
          post('microphoneMeter', { kind: 'level', rmsDb, peakDb, clipped }),
      });
      return { ok: true, value: await recording.opened() };
    };
    const run = await this.#recording.run(page, open, ({ finished }) => finished);
    if (!run.ok) return run;
    const recorded = run.value ?? failure('testStopped');
    if (!recorded.ok) return recorded;
    this.#recorded = { sound: recorded.value, page };
    this.#pageCleanup.set(page, this.#discardRecorded);
    return { ok: true, value: judgeOwnSound(recorded.value) };
  }

  async #playFor(page: Page, version: OwnSoundVersion): Promise<Outcome<undefined>> {
    const recorded = this.#recorded;
    if (recorded?.page !== page) return failure('ownSoundGone');
    const lost: AppError[] = [];
    let preview: VoicePreview | undefined;
    const open = async (): Promise<Outcome<VoicePreview>> => {
      preview = await this.#play(recorded.sound[version], lost);
      return { ok: true, value: preview };
    };
    const begun = await this.#playing.begin(page, open);
    if (!begun.ok) return begun;
    await preview?.ended;
    if (preview !== undefined) this.#playing.release(preview);
    const [error] = lost;
    return error === undefined ? done : { ok: false, error };
  }

  readonly #discardRecorded = (): void => {
    this.#recorded = undefined;
    this.#pageCleanup.clear();
  };

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

const ownSoundSeconds = 5;

type RecordedLevel = Extract<VoiceRecordingEvent, { kind: 'level' }>;

/** 16 kHz mono. */
export type OwnSound = Readonly<Record<OwnSoundVersion, Float32Array>>;

interface OwnSoundDeps extends Pick<MicrophoneRecordingOptions, 'devices' | 'audio'> {
  readonly onLevel?: ((level: RecordedLevel) => void) | undefined;
}

/** Records a few seconds twice: as the microphone hears them and as a server would receive them. */
class OwnSoundRecording {
  readonly #captured: Float32Array[] = [];
  readonly #take: MicrophoneRecording;
  #finish: (outcome: Outcome<OwnSound> | undefined) => void = () => undefined;
  /** Undefined if the recording was ended early. */
  readonly finished: Promise<Outcome<OwnSound> | undefined>;

  constructor({ devices, audio, onLevel }: OwnSoundDeps) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#take = new MicrophoneRecording({
      devices,
      audio,
      maxSeconds: ownSoundSeconds,
      onCaptured: (block) => this.#captured.push(block.slice()),
      emit: (event) => {
        if (event.kind === 'level') onLevel?.(event);
        else
          this.#finish(
            event.kind === 'full' ? this.#finishedSound() : { ok: false, error: event.error },
          );
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

  /** Cuts the captured sound to the length of the sent sound, because a canceller holds some samples back. */
  #finishedSound(): Outcome<OwnSound> {
    const sent = this.#take.samples();
    const captured = joinSamples(this.#captured).subarray(0, sent.length);
    return { ok: true, value: { captured, sent } };
  }
}

/** Judges the loudness of the recorded words. Both sounds can be clipped: by the microphone, or by a volume that is too high. */
export function judgeOwnSound({ captured, sent }: OwnSound): OwnSoundVerdict {
  const loud = loudLevel(blockLevels(captured, inputRate));
  if (loud < inaudibleDb) return 'unheard';
  if (isClipped(captured) || isClipped(sent)) return 'clipped';
  const levels = blockLevels(sent, inputRate);
  return speechLevel(levels, speechThreshold(loudLevel(levels))) < quietDb ? 'quiet' : 'good';
}
