import { done, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { ReplayedNotice } from '../../../shared/recordings/replay-scene.ts';
import {
  fastestHeard,
  type ReplayPlay,
  type ReplaySpeedStep,
} from '../../../shared/recordings/replay-view.ts';
import { type RenderedTape, levelPointMs } from './rendered-tape.ts';
import { ReplaySpeaker, type ReplaySpeakerDeps } from './replay-speaker.ts';

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
  #speed: ReplaySpeedStep = 1;
  /** Cursor and clock when playback last started, in milliseconds. */
  #startedFrom = { at: 0, now: 0 };
  #postedCount = 0;
  #postedAt = -Infinity;
  #stop: () => void = () => undefined;
  #silentReason: 'noDevice' | undefined;
  /** The posted scene is incomplete, because rendering had not reached the cursor. */
  #awaitsRender = false;

  constructor(rendered: RenderedTape, deps: Deps) {
    this.#rendered = rendered;
    this.#deps = deps;
    this.#sound = new ReplaySpeaker(rendered, {
      ...deps,
      onTakenOver: () => {
        this.#pause();
      },
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
    if (this.#isAudible) {
      const opened = await this.#sound.open();
      if (!opened.ok) return opened;
    }
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
    this.#stop = this.#deps.clock.after(tickMs, () => {
      this.#tick();
    });
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
