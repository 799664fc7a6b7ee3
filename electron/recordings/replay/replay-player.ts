import { done, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import {
  fastestHeard,
  type ReplayedNotice,
  type ReplayPlay,
  type ReplaySpeedStep,
} from '../../../shared/recordings/replay-view.ts';
import { levelPointMs, type RenderedTape } from './rendered-tape.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { AudioSettings } from '../../../shared/settings/audio-settings.ts';
import type { DeviceLock } from '../../audio/devices/device-lease.ts';
import type { DeviceEvent } from '../../audio/devices/stream-supervisor.ts';
import { TimeScale } from '../../audio/dsp/time-stretch.ts';
import type { Speaker, SpeakerOptions } from '../../audio/playback/speaker.ts';

interface Deps extends Omit<ReplaySpeakerDeps, 'onTakenOver' | 'onDeviceChange'> {
  readonly clock: Clock;
  readonly post: PostNotice;
  readonly onAdvance: (after: number, until: number) => void;
}

const tickMs = 50;
/** Limits position notices to ten a second. */
const postEveryMs = 100;
const silentDb = -100;

/** Moves the cursor over a rendered tape, as fast as the speaker plays, or without sound by the clock. */
export class ReplayPlayer {
  readonly #rendered: RenderedTape;
  readonly #deps: Deps;
  readonly #sound: ReplaySpeaker;
  #at = 0;
  #playing = false;
  /** Rises at each start, pause and end. A start whose speaker opens after that has no effect. */
  #starts = 0;
  #speed: ReplaySpeedStep = 1;
  /** Cursor and clock when playback last started, in milliseconds. */
  #startedFrom = { at: 0, now: 0 };
  #postedCount = 0;
  #postedAt = -Infinity;
  #stop: () => void = () => undefined;
  #silentReason: 'noDevice' | undefined;
  /** Whether the posted scene is incomplete, because rendering had not reached the cursor. */
  #awaitsRender = false;

  constructor(rendered: RenderedTape, deps: Deps) {
    this.#rendered = rendered;
    this.#deps = deps;
    this.#sound = new ReplaySpeaker(rendered, {
      ...deps,
      onTakenOver: () => this.#pause(),
      onDeviceChange: () => {
        if (this.#playing) this.#begin();
      },
    });
  }

  get play(): ReplayPlay {
    return { at: this.#at, playing: this.#playing, speed: this.#speed, sound: this.#soundNow };
  }

  async start(): Promise<Outcome<undefined>> {
    if (this.#playing) return done;
    this.#starts += 1;
    const start = this.#starts;
    if (this.#isAudible) {
      const opened = await this.#sound.open();
      if (!opened.ok) return opened;
    }
    if (start !== this.#starts) return done;
    if (this.#at >= this.#rendered.lengthMs) this.#jump(0);
    this.#playing = true;
    this.#begin();
    this.#tick();
    return done;
  }

  async pause(): Promise<void> {
    this.#pause();
    await this.#sound.close();
  }

  async setSpeed(speed: ReplaySpeedStep): Promise<Outcome<undefined>> {
    this.#at = this.#position();
    this.#speed = speed;
    const opened = this.#playing && this.#isAudible ? await this.#sound.open() : done;
    if (!opened.ok) await this.pause();
    else if (this.#playing) this.#begin();
    else this.#post();
    return opened;
  }

  seek(at: number): void {
    this.#jump(Math.min(at, this.#rendered.lengthMs));
    if (this.#playing) this.#begin();
    else this.#post();
  }

  /** Reposts the scene once rendering has passed the cursor. */
  onRendered(): void {
    if (!this.#awaitsRender || this.#rendered.readyMs < this.#at) return;
    this.#jump(this.#at);
  }

  async end(): Promise<void> {
    this.#starts += 1;
    this.#playing = false;
    this.#stop();
    await this.#sound.close();
  }

  get #isAudible(): boolean {
    return this.#speed <= fastestHeard;
  }

  get #soundNow(): ReplayPlay['sound'] {
    if (!this.#isAudible) return 'tooFast';
    return this.#silentReason ?? 'heard';
  }

  #begin(): void {
    this.#startedFrom = { at: this.#at, now: this.#deps.clock.now() };
    if (this.#isAudible) this.#sound.begin(this.#at, this.#speed);
    else this.#sound.silence();
    this.#silentReason = this.#isAudible && !this.#sound.isPlaying ? 'noDevice' : undefined;
    this.#post();
  }

  #pause(): void {
    this.#starts += 1;
    if (!this.#playing) return;
    this.#at = this.#position();
    this.#playing = false;
    this.#stop();
    this.#sound.silence();
    this.#level('you', silentDb);
    this.#level('parley', silentDb);
    this.#post();
  }

  #position(): number {
    if (!this.#playing) return this.#at;
    const { at, now } = this.#startedFrom;
    const byClock = at + (this.#deps.clock.now() - now) * this.#speed;
    const heard = this.#isAudible ? this.#sound.position() : undefined;
    return Math.max(this.#at, Math.min(heard ?? byClock, this.#rendered.readyMs));
  }

  #tick(): void {
    if (!this.#playing) return;
    const before = this.#at;
    this.#at = this.#position();
    this.#postNotices();
    this.#deps.onAdvance(before, this.#at);
    const point = Math.floor(this.#at / levelPointMs);
    this.#level('you', this.#rendered.yourLevels.levelDb(point));
    this.#level('parley', this.#rendered.parleyLevels.levelDb(point));
    if (this.#isOver) {
      void this.pause();
      return;
    }
    this.#sound.feed(this.#rendered.readyMs);
    // The cursor waits until more is rendered.
    if (this.#at >= this.#rendered.readyMs)
      this.#startedFrom = { at: this.#at, now: this.#deps.clock.now() };
    if (this.#deps.clock.now() - this.#postedAt >= postEveryMs) this.#post();
    this.#stop = this.#deps.clock.after(tickMs, () => this.#tick());
  }

  get #isOver(): boolean {
    const { readyMs, lengthMs } = this.#rendered;
    return readyMs >= lengthMs && this.#at >= lengthMs;
  }

  #postNotices(): void {
    const until = this.#rendered.countUntil(this.#at);
    const notices: readonly ReplayedNotice[] = this.#rendered.notices.slice(
      this.#postedCount,
      until,
    );
    this.#postedCount = Math.max(this.#postedCount, until);
    if (notices.length > 0) this.#deps.post('replayed', notices);
  }

  #jump(at: number): void {
    this.#at = at;
    this.#awaitsRender = at > this.#rendered.readyMs;
    this.#postedCount = this.#rendered.countUntil(at);
    this.#deps.post('replayScene', this.#rendered.sceneAt(at));
  }

  #level(who: 'you' | 'parley', db: number): void {
    this.#deps.post('replayLevel', { who, rmsDb: db, peakDb: db });
  }

  #post(): void {
    this.#postedAt = this.#deps.clock.now();
    this.#deps.post('replayPlay', this.play);
  }
}

export interface ReplaySpeakerDeps {
  readonly createSpeaker: (
    options: SpeakerOptions,
  ) => Pick<Speaker, 'open' | 'end' | 'write' | 'flush' | 'heard' | 'queued' | 'setVolume'>;
  readonly lock: Pick<DeviceLock, 'acquire'>;
  readonly audio: () => Pick<AudioSettings, 'speaker' | 'playbackVolume'>;
  /** Another user of the sound devices took the speaker. */
  readonly onTakenOver: () => void;
  /** A device became available or was lost. */
  readonly onDeviceChange: () => void;
}

/** Samples written ahead of playback; a seek discards them. */
const bufferedSamples = outputRate * 0.3;
const samplesPerMs = outputRate / 1000;

interface PlayRun {
  readonly scale: TimeScale;
  readonly from: number;
  readonly speed: number;
  /** Samples that the speaker plays before those of this run. */
  readonly heardBefore: number;
  written: number;
}

/** Plays both voices of a replay on the speaker. */
export class ReplaySpeaker {
  readonly #deps: ReplaySpeakerDeps;
  readonly #rendered: Pick<RenderedTape, 'heard' | 'microphone'>;
  #speaker: ReturnType<ReplaySpeakerDeps['createSpeaker']> | undefined;
  #release: (() => void) | undefined;
  #run: PlayRun | undefined;
  #isDevicePresent = false;
  #closes = 0;

  constructor(rendered: Pick<RenderedTape, 'heard' | 'microphone'>, deps: ReplaySpeakerDeps) {
    this.#rendered = rendered;
    this.#deps = deps;
  }

  get isPlaying(): boolean {
    return this.#isDevicePresent && this.#run !== undefined;
  }

  /** Acquires the speaker; fails while a talk holds it. */
  async open(): Promise<Outcome<undefined>> {
    if (this.#speaker !== undefined) return done;
    const closes = this.#closes;
    const acquired = await this.#deps.lock.acquire(async () => {
      await this.close();
      this.#deps.onTakenOver();
    });
    if (!acquired.ok) return acquired;
    // The player was closed while it waited for the devices.
    if (closes !== this.#closes) {
      acquired.value();
      return done;
    }
    this.#release = acquired.value;
    const { speaker: device, playbackVolume } = this.#deps.audio();
    const speaker = this.#deps.createSpeaker({ device, emit: this.#onDevice });
    speaker.setVolume(playbackVolume);
    this.#speaker = speaker;
    await speaker.open();
    return done;
  }

  /** Discards queued sound and plays from this tape time. */
  begin(at: number, speed: number): void {
    const speaker = this.#speaker;
    if (speaker === undefined) return;
    speaker.flush();
    const scale = new TimeScale(outputRate, speed, Math.round(at * samplesPerMs), this.#read);
    this.#run = {
      scale,
      from: at,
      speed,
      heardBefore: speaker.heard() + speaker.queued(),
      written: 0,
    };
  }

  silence(): void {
    this.#speaker?.flush();
    this.#run = undefined;
  }

  /** Fills the queue, up to what is rendered. */
  feed(until: number): void {
    const speaker = this.#speaker;
    const run = this.#run;
    if (speaker === undefined || run === undefined || !this.#isDevicePresent) return;
    const last = ((until - run.from) * samplesPerMs) / run.speed;
    while (speaker.queued() < bufferedSamples && run.written < last) {
      const sound = run.scale.next();
      run.written += sound.length;
      speaker.write(sound);
    }
  }

  /** Tape time being heard now; undefined without sound. */
  position(): number | undefined {
    const speaker = this.#speaker;
    const run = this.#run;
    if (speaker === undefined || run === undefined || !this.#isDevicePresent) return undefined;
    return run.from + (Math.max(0, speaker.heard() - run.heardBefore) * run.speed) / samplesPerMs;
  }

  async close(): Promise<void> {
    this.#closes += 1;
    const speaker = this.#speaker;
    this.#speaker = undefined;
    this.#run = undefined;
    this.#isDevicePresent = false;
    this.#release?.();
    this.#release = undefined;
    await speaker?.end();
  }

  readonly #onDevice = ({ kind }: DeviceEvent): void => {
    const isPresent = kind !== 'lost';
    if (isPresent === this.#isDevicePresent) return;
    this.#isDevicePresent = isPresent;
    this.#deps.onDeviceChange();
  };

  readonly #read = (at: number, count: number): Float32Array => {
    const sound = new Float32Array(count);
    this.#rendered.heard.addTo(sound, at);
    this.#rendered.microphone.addTo(sound, at);
    return sound.map((sample) => Math.max(-1, Math.min(1, sample)));
  };
}
