import type { FrameFate, ShownFrame } from '../../shared/vision/frame-facts.ts';
import { pictureTokens } from '../../shared/vision/picture-tokens.ts';
import { usualSeeing } from '../../shared/vision/seeing-settings.ts';
import type { FrameArea, SeeingDoor, SeeingSettings } from '../../shared/vision/seeing-settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { Frames } from '../ports/pictures.ts';
import { FramePace, frameInterval } from './frame-pace.ts';
import { areaWithin, planFrame, usedSlices } from './frame-size.ts';
import { NewestFirst } from './newest-first.ts';
import { Stillness } from './stillness.ts';

/** A talk, as far as it takes pictures. */
export interface FrameTaker {
  readonly chunkMs: number;
  /** The newest frame, to go with the next chunk; nothing takes back one that has not gone. */
  readonly see: (jpeg: Uint8Array | undefined) => void;
  readonly setMaxSlices: (slices: number) => void;
}

export interface SeeingNeeds {
  readonly frames: Frames;
  readonly clock: Clock;
  /** The very frame that has gone to the model. */
  readonly sent: (frame: ShownFrame) => void;
  /** While there is no talk: what would go. */
  readonly prepared: (frame: ShownFrame) => void;
}

const chunkWithoutTalk = 1000;

/** The way of pictures from the page to the talk: door, pace, preparation, stillness. */
export class Seeing {
  readonly #needs: SeeingNeeds;
  readonly #pace = new FramePace();
  readonly #stillness = new Stillness();
  readonly #desk = new NewestFirst((jpeg: Uint8Array) => this.#workOn(jpeg));
  #settings = usualSeeing;
  #door: SeeingDoor = { open: 'nothing' };
  #taker: FrameTaker | undefined;
  /** Handed to the talk and not sent yet. */
  #handed: ShownFrame | undefined;

  constructor(needs: SeeingNeeds) {
    this.#needs = needs;
  }

  get settings(): SeeingSettings {
    return this.#settings;
  }

  get door(): SeeingDoor {
    return this.#door;
  }

  /**
   * Every change of the door begins anew: neither a frame that is being worked on nor one that waits
   * for its chunk is let through.
   */
  setDoor(door: SeeingDoor): void {
    this.#door = door;
    if (this.#handed !== undefined) this.#taker?.see(undefined);
    this.#handed = undefined;
    this.#beginAnew();
  }

  set(settings: SeeingSettings): void {
    this.#settings = settings;
    this.#beginAnew();
    this.#taker?.setMaxSlices(settings.slices);
  }

  /** From now on frames go to this talk, until the returned function is called. */
  join(taker: FrameTaker): () => void {
    this.#turnTo(taker);
    taker.setMaxSlices(this.#settings.slices);
    return () => {
      if (this.#taker === taker) this.#turnTo(undefined);
    };
  }

  /** To be called when the talk has sent a frame: it is the newest that it was handed. */
  frameWent(): void {
    const frame = this.#handed;
    if (frame === undefined) return;
    this.#handed = undefined;
    this.#needs.sent({ ...frame, facts: { ...frame.facts, at: this.#needs.clock.now() } });
  }

  async offer(jpeg: Uint8Array): Promise<FrameFate> {
    if (this.#door.open === 'nothing') return { fate: 'closed' };
    const interval = frameInterval(this.#settings.rate, this.#taker?.chunkMs ?? chunkWithoutTalk);
    if (!this.#pace.wants(this.#needs.clock.now(), interval)) return { fate: 'early' };
    const turnout = await this.#desk.take(jpeg);
    return turnout.done ? turnout.result : { fate: 'replaced' };
  }

  async #workOn(jpeg: Uint8Array): Promise<FrameFate> {
    const { frames, clock } = this.#needs;
    const [settings, door, taker] = [this.#settings, this.#door, this.#taker];
    if (door.open === 'nothing') return { fate: 'closed' };
    const area = shownArea(settings);
    const prepared = await frames.prepare(jpeg, (size) => planFrame(size, area, settings.slices));
    // It was made for a door, settings and a talk that may be gone by now.
    if (this.#door !== door || this.#taker !== taker) return { fate: 'closed' };
    if (this.#settings !== settings) return { fate: 'replaced' };
    if (!prepared.ok) return { fate: 'refused', problem: prepared.problem };
    const { jpeg: bytes, width, height, signature } = prepared.value;
    const at = clock.now();
    if (settings.skipStill && this.#stillness.isStill(signature, at)) return { fate: 'still' };
    this.#stillness.went(signature, at);
    const slices = usedSlices({ width, height }, settings.slices);
    const tokens = pictureTokens(slices);
    this.#show({
      jpeg: bytes,
      facts: { at, bytes: bytes.length, width, height, slices, tokens },
    });
    return { fate: 'taken' };
  }

  #show(frame: ShownFrame): void {
    if (this.#taker === undefined) {
      this.#needs.prepared(frame);
      return;
    }
    this.#handed = frame;
    this.#taker.see(frame.jpeg);
  }

  #turnTo(taker: FrameTaker | undefined): void {
    this.#taker = taker;
    this.#handed = undefined;
    this.#beginAnew();
  }

  #beginAnew(): void {
    this.#pace.reset();
    this.#stillness.forget();
  }
}

function shownArea({ source, crop }: SeeingSettings): FrameArea | undefined {
  return areaWithin(source.kind === 'region' ? source.area : undefined, crop);
}
