import type {
  CaptureListener,
  MicrophoneStream,
  MicrophoneStreamStats,
  PlayedChunk,
  SoundDevice,
  SpeakerStream,
  SpeakerStreamStats,
} from '../../electron/audio/devices/sound-driver.ts';
import { cleanSamples } from '../../electron/audio/dsp/samples.ts';
import type { FakeClock } from './fake-clock.ts';

const callbackMs = 10;
const latencyMs = 20;
const ringSeconds = 30;
const fadeMs = 5;
/** How long a real driver waits before it reports a silent device as dead. */
const deadAfterMs = 500;

/** A stream whose callback runs every 10 ms while its device lives. */
class FakeStream {
  readonly device: SoundDevice;
  readonly rate: number;
  closed = false;
  closingMs = 0;
  protected readonly clock: FakeClock;
  #diedAt: number | undefined;
  #stop: () => void = () => undefined;

  constructor(clock: FakeClock, device: SoundDevice, rate: number) {
    this.clock = clock;
    this.device = device;
    this.rate = rate;
    this.#scheduleCallback();
  }

  get alive(): boolean {
    if (this.closed) return false;
    return this.#diedAt === undefined || this.clock.now() - this.#diedAt < deadAfterMs;
  }

  protected get dead(): boolean {
    return this.#diedAt !== undefined;
  }

  die(): void {
    this.#diedAt ??= this.clock.now();
    this.#stop();
  }

  readonly close = async (): Promise<void> => {
    this.closed = true;
    this.#stop();
    if (this.closingMs === 0) return;
    await new Promise<void>((resolve) => {
      this.clock.after(this.closingMs, resolve);
    });
  };

  protected onCallback(_frames: number): void {
    // Subclasses implement it.
  }

  #scheduleCallback(): void {
    this.#stop = this.clock.after(callbackMs, () => {
      this.#scheduleCallback();
      this.onCallback((this.rate * callbackMs) / 1000);
    });
  }
}

/** A stream that plays its queue into `sound`, 10 ms per callback. */
export class FakeSpeakerStream extends FakeStream implements SpeakerStream {
  /** The audible samples, without silence. */
  readonly sound: number[] = [];
  volume = 1;
  readonly #queue: number[] = [];
  /** How many queued samples still sound after a flush. */
  #fade = 0;
  #dropAfterFade = 0;
  readonly #history: number[] = [0];
  #underruns = 0;
  #repaired = 0;
  /** All output, silence included; its newest sample ended at `#outAt`. */
  readonly #out: number[] = [];
  #outTaken = 0;
  #outAt = 0;

  readonly write = (samples: Float32Array): number => {
    if (this.closed) return 0;
    const count = Math.min(samples.length, this.rate * ringSeconds - this.#queue.length);
    for (let at = 0; at < count; at += 1) {
      const sample = samples[at] ?? 0;
      const isSound = Math.abs(sample) <= 1e6;
      if (!isSound) this.#repaired += 1;
      this.#queue.push(isSound ? sample : 0);
    }
    return count;
  };

  readonly flush = (): { readonly played: number; readonly dropped: number } => {
    if (this.closed) return { played: this.sound.length, dropped: 0 };
    const before = this.#fade + this.#dropAfterFade;
    if (this.#fade === 0) this.#fade = Math.min(this.#queue.length, (this.rate * fadeMs) / 1000);
    this.#dropAfterFade = this.#queue.length - this.#fade;
    const dropped = this.#queue.length - Math.max(before, this.#fade);
    return { played: this.sound.length + this.#fade, dropped };
  };

  readonly setVolume = (volume: number): void => {
    this.volume = volume;
  };

  readonly takePlayed = (into: Float32Array): PlayedChunk => {
    const position = this.#outTaken;
    const part = this.closed ? [] : this.#out.slice(position, position + into.length);
    into.set(part);
    this.#outTaken += part.length;
    const behind = ((this.#out.length - position) * 1000) / this.rate;
    return { count: part.length, position, heardAt: this.#outAt + latencyMs - behind };
  };

  readonly stats = (): SpeakerStreamStats => ({
    alive: this.alive,
    played: this.sound.length,
    // Samples in a dead device are lost; a real driver cannot tell and counts them as heard.
    heard: this.dead ? this.sound.length : (this.#history[0] ?? 0),
    queued: this.closed ? 0 : this.#queue.length,
    underruns: this.#underruns,
    repaired: this.#repaired,
    latencyMs,
  });

  protected override onCallback(frames: number): void {
    const before = this.sound.length;
    if (this.#fade > 0 || this.#dropAfterFade > 0) {
      for (; this.#fade > 0; this.#fade -= 1) this.sound.push(this.#queue.shift() ?? 0);
      this.#queue.splice(0, this.#dropAfterFade);
      this.#dropAfterFade = 0;
    } else {
      const sounding = this.#queue.length > 0;
      for (const sample of this.#queue.splice(0, frames)) this.sound.push(sample);
      if (sounding && this.#queue.length === 0) this.#underruns += 1;
    }
    for (let at = 0; at < frames; at += 1) {
      this.#out.push((this.sound[before + at] ?? 0) * this.volume);
    }
    this.#outAt = this.clock.now();
    this.#history.push(this.sound.length);
    while (this.#history.length > latencyMs / callbackMs + 1) this.#history.shift();
  }
}

/** A stream that captures blocks of 20 ms with a constant sample, `loudness`. */
export class FakeMicrophoneStream extends FakeStream implements MicrophoneStream {
  loudness = 0.5;
  readonly #listener: CaptureListener;
  #repaired = 0;
  #captured = 0;
  #pending = 0;

  constructor(clock: FakeClock, device: SoundDevice, rate: number, listener: CaptureListener) {
    super(clock, device, rate);
    this.#listener = listener;
  }

  readonly stats = (): MicrophoneStreamStats => ({
    alive: this.alive,
    captured: this.#captured,
    lost: 0,
    repaired: this.#repaired,
    latencyMs,
  });

  protected override onCallback(frames: number): void {
    this.#captured += frames;
    this.#pending += frames;
    const block = this.rate / 50;
    if (this.#pending < block) return;
    this.#pending -= block;
    const samples = new Float32Array(block).fill(this.loudness);
    this.#repaired += cleanSamples(samples);
    this.#listener.captured(samples, this.clock.now() - latencyMs - 20);
  }
}
