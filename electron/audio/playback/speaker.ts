import { SerialQueue } from '../../../shared/lifetime.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { DeviceChoice, SoundDriver, SpeakerStream } from '../devices/sound-driver.ts';
import { defaultDevice, type DeviceEvent, StreamSupervisor } from '../devices/stream-supervisor.ts';
import { SincResampler } from '../dsp/sinc-resampler.ts';
import { PlayoutBuffer, type PlayoutCut } from './playout-buffer.ts';

/** Plays a buffer on a device and reports the progress. */
export interface PlayoutSink {
  readonly buffer: PlayoutBuffer;
  readonly send: () => void;
  readonly follow: () => void;
  /** Silences the device immediately. `heard` is the buffer's count when the device's fade ends. */
  readonly flush: () => PlayoutCut & { readonly heard: number };
  /** Sets a gain on top of the user's volume. */
  readonly setDuckGain: (gain: number) => void;
}

export interface SpeakerOptions {
  readonly device: DeviceChoice;
  readonly emit: (event: DeviceEvent) => void;
  /** If set, the device opens when there is sound to play, and closes this long after the sound was heard. */
  readonly closeAfterMs?: number | undefined;
}

interface SpeakerDeps {
  readonly driver: Pick<SoundDriver, 'openSpeaker' | 'systemMovesStreams' | 'devices'>;
  readonly clock: Clock;
  readonly onEnded?: ((speaker: Speaker) => void) | undefined;
}

export interface SpeakerCounters {
  readonly underruns: number;
  readonly repaired: number;
  readonly devices: number;
  readonly latencyMs: number;
}

/** Soon enough, because the device's ring holds more than 7 s. */
const refillEveryMs = 250;
const checkSilentMs = 250;

/** Plays 24 kHz mono. While no device is open, sound waits; if a device is lost, the next one plays the rest. */
export class Speaker implements PlayoutSink {
  readonly buffer = new PlayoutBuffer();
  readonly #deps: SpeakerDeps;
  readonly #options: SpeakerOptions;
  #device: DeviceChoice;
  #supervisor: StreamSupervisor<StreamPlayer> | undefined;
  /** Keeps the device open even without sound. */
  #staysOpen = false;
  #lastSoundAt = 0;
  #volume = 1;
  #duckGain = 1;
  #devices = 0;
  #closedUnderruns = 0;
  #closedRepaired = 0;
  #ended = false;
  /** Cancels the timer that refills a full ring; undefined while none runs. */
  #stopRefill: (() => void) | undefined;
  #cancelClose: () => void = () => undefined;
  readonly #work = new SerialQueue();

  constructor(options: SpeakerOptions, deps: SpeakerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#device = options.device;
  }

  /** Opens the device and keeps it open, see {@link StreamSupervisor}. */
  open(): Promise<void> {
    this.#staysOpen = true;
    this.#cancelClose();
    return this.#work.run(() => this.#openDevice());
  }

  /** Closes the device once everything was heard; later sound waits for the next opening. */
  closeWhenHeard(): void {
    this.#staysOpen = false;
    this.#closeLater();
  }

  /** Drops unheard sound and closes the device. */
  async close(): Promise<void> {
    this.#staysOpen = false;
    this.#cancelClose();
    this.#endRefill();
    this.follow();
    this.buffer.cut();
    await this.#work.run(() => this.#closeDevice());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.close();
    this.#deps.onEnded?.(this);
  }

  /** Plays a sound that belongs to no turn. */
  write(samples: Float32Array): void {
    if (this.#ended) return;
    this.buffer.insert(samples);
    this.send();
  }

  send(): void {
    this.follow();
    this.#refill();
    if (this.#options.closeAfterMs === undefined || this.#ended) return;
    if (this.#supervisor === undefined && this.buffer.waiting > 0)
      void this.#work.run(() => this.#openDevice());
    if (!this.#staysOpen) this.#closeLater();
  }

  follow(): void {
    this.#supervisor?.stream?.follow();
  }

  flush(): ReturnType<PlayoutSink['flush']> {
    this.follow();
    this.#supervisor?.stream?.flush();
    this.#endRefill();
    const cut = this.buffer.cut();
    return { ...cut, heard: this.buffer.played };
  }

  heard(): number {
    this.follow();
    return this.buffer.heard;
  }

  queued(): number {
    this.follow();
    return this.buffer.waiting;
  }

  setVolume(volume: number): void {
    this.#volume = volume;
    this.#applyVolume();
  }

  setDuckGain(gain: number): void {
    this.#duckGain = gain;
    this.#applyVolume();
  }

  async choose(device: DeviceChoice): Promise<void> {
    this.#device = device;
    await this.#supervisor?.choose(device);
  }

  counters(): SpeakerCounters {
    const stats = this.#supervisor?.stream?.stats();
    return {
      underruns: this.#closedUnderruns + (stats?.underruns ?? 0),
      repaired: this.#closedRepaired + (stats?.repaired ?? 0),
      devices: this.#devices,
      latencyMs: stats?.latencyMs ?? 0,
    };
  }

  /** Sends what fits. While the ring is full, a timer retries, because a try per write would copy all waiting sound. */
  #refill(): void {
    if (this.#stopRefill !== undefined || this.#supervisor?.stream?.send() !== false) return;
    this.#stopRefill = repeatEvery(this.#deps.clock, refillEveryMs, () => {
      this.follow();
      if (this.#supervisor?.stream?.send() === false) return undefined;
      this.#stopRefill = undefined;
      return 'done';
    });
  }

  #endRefill(): void {
    this.#stopRefill?.();
    this.#stopRefill = undefined;
  }

  #applyVolume(): void {
    this.#supervisor?.stream?.setVolume(this.#volume * this.#duckGain);
  }

  async #openDevice(): Promise<void> {
    if (this.#supervisor !== undefined || this.#ended) return;
    const { clock, driver } = this.#deps;
    const supervisor = new StreamSupervisor<StreamPlayer>(this.#device, {
      clock,
      open: async (device) => {
        const opened = await driver.openSpeaker(device, outputRate);
        return opened.ok
          ? { ok: true, value: new StreamPlayer(opened.value, this.buffer) }
          : opened;
      },
      allowsSubstitute: () => true,
      onOpened: (player) => {
        this.#devices += 1;
        player.begin();
        this.#applyVolume();
        this.#refill();
      },
      onGone: (player) => {
        this.#endRefill();
        player.leave();
        const { underruns, repaired } = player.stats();
        this.#closedUnderruns += underruns;
        this.#closedRepaired += repaired;
      },
      currentDefault: defaultDevice(driver, ({ defaultOutput }) => defaultOutput),
      emit: this.#options.emit,
    });
    this.#supervisor = supervisor;
    await supervisor.begin();
  }

  async #closeDevice(): Promise<void> {
    const supervisor = this.#supervisor;
    if (supervisor === undefined || this.#staysOpen) return;
    await supervisor.end();
    this.#supervisor = undefined;
    // Sound was written while the device closed.
    if (this.#options.closeAfterMs !== undefined && this.buffer.waiting > 0)
      await this.#openDevice();
  }

  /**
   * Closes the device some time after the last sound was heard. When it was sent does not count, because a device plays
   * sound a little after it has taken it.
   */
  #closeLater(): void {
    const { clock } = this.#deps;
    this.#cancelClose();
    this.#lastSoundAt = clock.now();
    this.#cancelClose = repeatEvery(clock, checkSilentMs, () => {
      this.follow();
      if (!this.buffer.isSilent) this.#lastSoundAt = clock.now();
      const isOver = clock.now() - this.#lastSoundAt >= (this.#options.closeAfterMs ?? 0);
      if (!isOver || !this.buffer.isSilent) return undefined;
      void this.#work.run(() => this.#closeDevice());
      return 'done';
    });
  }
}

const maxPieceSamples = 4 * outputRate;

/** Plays a buffer on one stream, and converts the stream's counts to the buffer's. */
export class StreamPlayer {
  readonly #stream: SpeakerStream;
  readonly #buffer: PlayoutBuffer;
  /** Only for a device that accepts no other rate than its own. */
  readonly #resampler: SincResampler | undefined;
  /** Buffer samples per stream sample. */
  readonly #scale: number;
  /** The buffer's count at the stream's start. */
  #base = 0;
  /** Resampled samples that did not fit into the ring. */
  #unwritten: Float32Array = new Float32Array();

  constructor(stream: SpeakerStream, buffer: PlayoutBuffer) {
    this.#stream = stream;
    this.#buffer = buffer;
    if (stream.rate !== outputRate) this.#resampler = new SincResampler(outputRate, stream.rate);
    this.#scale = outputRate / stream.rate;
  }

  get device(): SpeakerStream['device'] {
    return this.#stream.device;
  }

  stats(): ReturnType<SpeakerStream['stats']> {
    return this.#stream.stats();
  }

  setVolume(volume: number): void {
    this.#stream.setVolume(volume);
  }

  begin(): void {
    this.#base = this.#buffer.played;
  }

  /** Writes what fits; returns whether that was everything. */
  send(): boolean {
    const buffer = this.#buffer;
    for (;;) {
      if (this.#unwritten.length > 0)
        this.#unwritten = this.#unwritten.subarray(this.#stream.write(this.#unwritten));
      if (this.#unwritten.length > 0) return false;
      const piece = buffer.unsent(maxPieceSamples);
      if (piece === undefined) return true;
      if (this.#resampler === undefined) {
        const writtenCount = this.#stream.write(piece);
        buffer.send(writtenCount);
        if (writtenCount < piece.length) return false;
      } else {
        this.#unwritten = this.#resampler.convert(piece);
        buffer.send(piece.length);
      }
    }
  }

  follow(): void {
    const { played, heard, queued } = this.#stream.stats();
    this.#playedTo(played);
    // Resampled counts are fractional: an empty stream has played everything it was given.
    if (this.#resampler !== undefined && queued === 0 && this.#unwritten.length === 0) {
      this.#buffer.playedTo(this.#buffer.sent);
      this.#base = this.#buffer.played - played * this.#scale;
    }
    const isAllHeard = queued === 0 && heard >= played;
    this.#buffer.heardTo(isAllHeard ? this.#buffer.played : this.#toBufferCount(heard));
  }

  /** Silences the stream; samples of its fade count as played. */
  flush(): void {
    const { played } = this.#stream.flush();
    this.#playedTo(played);
    // Also drops the samples inside the resampler.
    this.#resampler?.restart();
    this.#unwritten = new Float32Array();
    this.#base = this.#buffer.played - played * this.#scale;
  }

  /** Ends the use of this stream and leaves unplayed samples to the next one. */
  leave(): void {
    this.follow();
    this.#buffer.resend();
  }

  close(): Promise<void> {
    return this.#stream.close();
  }

  #playedTo(played: number): void {
    this.#buffer.playedTo(this.#toBufferCount(played));
  }

  #toBufferCount(samples: number): number {
    return Math.round(this.#base + samples * this.#scale);
  }
}
