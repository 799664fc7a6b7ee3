import { isSameDevice, type ListedDevice } from '../../../shared/audio/listed-device.ts';
import type {
  MeterEvent,
  OwnSoundVerdict,
  OwnSoundWay,
} from '../../../shared/audio/sound-tests.ts';
import { type AppError, done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { SoundHandlers } from '../../../shared/ipc/audio-ipc.ts';
import { type Page, PageHold, WatchingPages } from '../../../shared/ipc/page.ts';
import { isSameJson } from '../../../shared/protocol/json.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { VoiceRecordingEvent } from '../../../shared/settings/stored-voice.ts';
import type { AudioSink } from '../capture/capture-pipeline.ts';
import { MicrophoneTake, type MicrophoneTakeOptions } from '../capture/microphone-take.ts';
import type { Microphone } from '../capture/microphone.ts';
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

/** Answers what pages ask about sound devices. Those that are used are those of the settings. */
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
      stopped: () => post('microphoneMeter', { kind: 'stopped' }),
    });
    this.#testing = new DeviceLease({
      lock,
      close: (test) => test.end(),
      // The answer to its request tells the page why.
      stopped: () => undefined,
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

const nobody: AudioSink = { pushAudio: () => undefined };

/** A microphone whose level is shown, and nothing else is done with its sound. */
class MicrophoneLevelMeter {
  readonly #microphone: Promise<Microphone>;
  #audio: AudioSettings;

  constructor(audio: AudioSettings, devices: SoundOpeners, emit: (event: MeterEvent) => void) {
    this.#audio = audio;
    this.#microphone = devices.openMicrophone(audio.microphone, nobody, {
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

interface DeviceWatcherDeps extends Pick<SoundControllerDeps, 'clock' | 'post'> {
  readonly sound: Pick<SoundDriver, 'devices'>;
}

type Devices = readonly ListedDevice[];

/** No system reports devices that come and go: they are looked for, while a page shows them and only then. */
const lookEveryMs = 3000;

/** The list of sound devices, and what becomes of it while somebody looks at it. */
export class DeviceWatcher {
  readonly #deps: DeviceWatcherDeps;
  readonly #pages = new WatchingPages(() => {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  });
  /** As pages know it. */
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
    // After a look that failed the next list is posted in any case: it replaces the sentence.
    this.#known = found.ok ? found.value : [];
    if (!found.ok) return found;
    if (this.#pages.any && before !== undefined && !isSameJson(before, found.value)) {
      this.#deps.post('soundDevicesChanged', found.value);
    }
    return found;
  }

  /** The next look begins when the one before has ended: a sound system that hangs is not asked twice. */
  #scheduleCheck(): void {
    if (!this.#pages.any || this.#checking || this.#stopWaiting !== undefined) return;
    this.#stopWaiting = this.#deps.clock.after(lookEveryMs, () => {
      this.#stopWaiting = undefined;
      void this.#check();
    });
  }

  async #check(): Promise<void> {
    this.#checking = true;
    try {
      // Where nothing can be listed, the page keeps what it has: its list, or the sentence it got for one.
      await this.#list();
    } finally {
      this.#checking = false;
      this.#scheduleCheck();
    }
  }
}

/** The answer to its request tells the page why. */
const stopped = (): void => undefined;

/** A page lets somebody hear themselves. What they said is in memory, for that page, and nowhere else. */
class OwnSoundController {
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

  readonly handlers: Pick<SoundHandlers, 'recordOwnSound' | 'playOwnSound' | 'forgetOwnSound'> = {
    recordOwnSound: (_input, page) => this.#record(page),
    playOwnSound: ({ as }, page) => this.#playFor(page, as),
    forgetOwnSound: async () => {
      this.#forgetKept();
      await Promise.all([this.#recording.cancel(), this.#playing.cancel()]);
    },
  };

  async #record(page: Page): Promise<Outcome<OwnSoundVerdict>> {
    this.#forgetKept();
    const { devices, settings, post } = this.#deps;
    // Not before the devices are free, and not at all where they are not.
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
    this.#kept = { sound: recorded.value, page };
    this.#listening.hold(page, this.#forgetKept);
    return { ok: true, value: judgeOwnSound(recorded.value) };
  }

  async #playFor(page: Page, as: OwnSoundWay): Promise<Outcome<undefined>> {
    const kept = this.#kept;
    if (kept?.page !== page) return failure('ownSoundGone');
    const lost: AppError[] = [];
    let preview: VoicePreview | undefined;
    const open = async (): Promise<Outcome<VoicePreview>> => {
      preview = await this.#play(kept.sound[as], lost);
      return { ok: true, value: preview };
    };
    const begun = await this.#playing.begin(page, open);
    if (!begun.ok) return begun;
    await preview?.ended;
    if (preview !== undefined) this.#playing.ended(preview);
    const [error] = lost;
    return error === undefined ? done : { ok: false, error };
  }

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
