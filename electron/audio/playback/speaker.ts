import { SerialQueue } from '../../../shared/lifetime.ts';
import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { DeviceChoice, SoundDriver, SpeakerStream } from '../devices/sound-driver.ts';
import { defaultDevice, type DeviceEvent, StreamSupervisor } from '../devices/stream-supervisor.ts';
import { SincResampler } from '../dsp/sinc-resampler.ts';
import { PlayoutBuffer, type PlayoutCut } from './playout-buffer.ts';

/** Plays a buffer: takes sound from it, and reports how far that has come. */
export interface PlayoutSink {
  readonly buffer: PlayoutBuffer;
  /** More has been written. */
  readonly send: () => void;
  /** Looks how far the sound has come by now. */
  readonly follow: () => void;
  /** Silences at once. `heard` is what of all sound will have been heard. */
  readonly flush: () => PlayoutCut & { readonly heard: number };
  /** Lowers it for a moment, on top of the person's volume, which neither knows nor loses by it. */
  readonly setDuckGain: (gain: number) => void;
}

/** Which device a speaker opens, and whether it closes it between answers. */
export interface SpeakerOptions {
  readonly device: DeviceChoice;
  readonly emit: (event: DeviceEvent) => void;
  /** It opens its device when there is something to play, and closes it so long after that was heard. */
  readonly closeAfterMs?: number | undefined;
}

interface SpeakerDeps {
  readonly driver: Pick<SoundDriver, 'openSpeaker' | 'systemMovesStreams' | 'devices'>;
  readonly clock: Clock;
  /** It has ended for good. */
  readonly ended?: ((speaker: Speaker) => void) | undefined;
}

export interface SpeakerCounters {
  readonly underruns: number;
  readonly repaired: number;
  /** How often a device was opened. */
  readonly devices: number;
  readonly latencyMs: number;
}

/** A ring holds more than 7 s: there is time enough before it runs dry. */
const fillEveryMs = 250;
/** How often it is checked whether all has been heard, before the device is let go. */
const checkSilentMs = 250;

/**
 * The speaker that playout goes to, 24 kHz mono, whichever device that is at the moment and whether one is
 * open or not: sound that is written waits for a device, and is not lost when one dies.
 */
export class Speaker implements PlayoutSink {
  readonly buffer = new PlayoutBuffer();
  readonly #deps: SpeakerDeps;
  readonly #options: SpeakerOptions;
  #device: DeviceChoice;
  #supervisor: StreamSupervisor<StreamPlayer> | undefined;
  /** Somebody wants the device to be open, whether something sounds or not. */
  #openWanted = false;
  #soundedAt = 0;
  #volume = 1;
  #duckGain = 1;
  #devices = 0;
  #closedUnderruns = 0;
  #closedRepaired = 0;
  #ended = false;
  /** While the ring is full; nothing where it is not. */
  #filling: (() => void) | undefined;
  #cancelClose: () => void = () => undefined;
  /** The device opens and closes one after the other. */
  readonly #work = new SerialQueue();

  constructor(options: SpeakerOptions, deps: SpeakerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#device = options.device;
  }

  /** Opens the device and keeps it: see {@link StreamSupervisor}. */
  open(): Promise<void> {
    this.#openWanted = true;
    this.#cancelClose();
    return this.#work.run(() => this.#openDevice());
  }

  /** Lets the device go when all has been heard; what is written after that waits until it is opened. */
  closeWhenHeard(): void {
    this.#openWanted = false;
    this.#closeLater();
  }

  /** Throws away what has not been heard and lets the device go, until there is something to play again. */
  async close(): Promise<void> {
    this.#openWanted = false;
    this.#cancelClose();
    this.#stopFilling();
    this.follow();
    this.buffer.cut();
    await this.#work.run(() => this.#closeDevice());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.close();
    this.#deps.ended?.(this);
  }

  /** For a sound that is nobody's turn. */
  write(samples: Float32Array): void {
    if (this.#ended) return;
    this.buffer.insert(samples);
    this.send();
  }

  send(): void {
    this.follow();
    this.#fill();
    if (this.#options.closeAfterMs === undefined || this.#ended) return;
    if (this.#supervisor === undefined && this.buffer.waiting > 0)
      void this.#work.run(() => this.#openDevice());
    if (!this.#openWanted) this.#closeLater();
  }

  follow(): void {
    this.#supervisor?.stream?.follow();
  }

  flush(): ReturnType<PlayoutSink['flush']> {
    this.follow();
    this.#supervisor?.stream?.flush();
    this.#stopFilling();
    const cut = this.buffer.cut();
    return { ...cut, heard: this.buffer.played };
  }

  /** Samples that have left a device so far. */
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

  /** A full ring has room again by and by: to try with each piece that comes would copy all that waits. */
  #fill(): void {
    if (this.#filling !== undefined || this.#supervisor?.stream?.send() !== false) return;
    this.#filling = repeatEvery(this.#deps.clock, fillEveryMs, () => {
      this.follow();
      if (this.#supervisor?.stream?.send() === false) return undefined;
      this.#filling = undefined;
      return 'done';
    });
  }

  #stopFilling(): void {
    this.#filling?.();
    this.#filling = undefined;
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
      substitutes: () => true,
      opened: (player) => {
        this.#devices += 1;
        player.begin();
        this.#applyVolume();
        this.#fill();
      },
      gone: (player) => {
        this.#stopFilling();
        player.leave();
        const { underruns, repaired } = player.stats();
        this.#closedUnderruns += underruns;
        this.#closedRepaired += repaired;
      },
      standard: defaultDevice(driver, ({ defaultOutput }) => defaultOutput),
      emit: this.#options.emit,
    });
    this.#supervisor = supervisor;
    await supervisor.begin();
  }

  async #closeDevice(): Promise<void> {
    const supervisor = this.#supervisor;
    if (supervisor === undefined || this.#openWanted) return;
    await supervisor.end();
    this.#supervisor = undefined;
    // Something was written meanwhile.
    if (this.#options.closeAfterMs !== undefined && this.buffer.waiting > 0)
      await this.#openDevice();
  }

  /** Sound that a device has taken is still not heard for a while. */
  #closeLater(): void {
    const { clock } = this.#deps;
    this.#cancelClose();
    this.#soundedAt = clock.now();
    this.#cancelClose = repeatEvery(clock, checkSilentMs, () => {
      this.follow();
      if (!this.buffer.silent) this.#soundedAt = clock.now();
      const over = clock.now() - this.#soundedAt >= (this.#options.closeAfterMs ?? 0);
      if (!over || !this.buffer.silent) return undefined;
      void this.#work.run(() => this.#closeDevice());
      return 'done';
    });
  }
}

/** As much is resampled at once. */
const maxPieceSamples = 4 * outputRate;

/** Plays a buffer on one stream, and maps the stream's count to the buffer's. */
export class StreamPlayer {
  readonly #stream: SpeakerStream;
  readonly #buffer: PlayoutBuffer;
  /** For a device that takes only its own rate. */
  readonly #resampler: SincResampler | undefined;
  /** Samples of ours for each of the stream's. */
  readonly #scale: number;
  /** Our count where the stream began to count. */
  #base = 0;
  /** Resampled, and the ring had no room for it. */
  #rest: Float32Array = new Float32Array();

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

  /** From here on it is this stream that plays the buffer. */
  begin(): void {
    this.#base = this.#buffer.played;
  }

  /** Gives the stream what there is room for; says whether that was all. */
  send(): boolean {
    const buffer = this.#buffer;
    for (;;) {
      if (this.#rest.length > 0) this.#rest = this.#rest.subarray(this.#stream.write(this.#rest));
      if (this.#rest.length > 0) return false;
      const piece = buffer.unsent(maxPieceSamples);
      if (piece === undefined) return true;
      if (this.#resampler === undefined) {
        const given = this.#stream.write(piece);
        buffer.send(given);
        if (given < piece.length) return false;
      } else {
        this.#rest = this.#resampler.convert(piece);
        buffer.send(piece.length);
      }
    }
  }

  /** Tells the buffer how far the device has come. */
  follow(): void {
    const { played, heard, queued } = this.#stream.stats();
    this.#playedTo(played);
    // Two rates never divide evenly: a stream that holds nothing has played all it was given.
    if (this.#resampler !== undefined && queued === 0 && this.#rest.length === 0) {
      this.#buffer.playedTo(this.#buffer.sent);
      this.#base = this.#buffer.played - played * this.#scale;
    }
    const all = queued === 0 && heard >= played;
    this.#buffer.heardTo(all ? this.#buffer.played : this.#ours(heard));
  }

  /** Silences the stream. What its fade still lets through counts as played. */
  flush(): void {
    const { played } = this.#stream.flush();
    this.#playedTo(played);
    // The samples that the resampler still holds are dropped too.
    this.#resampler?.restart();
    this.#rest = new Float32Array();
    this.#base = this.#buffer.played - played * this.#scale;
  }

  /** Leaves to the next stream what this one has not played. */
  leave(): void {
    this.follow();
    this.#buffer.resend();
  }

  close(): Promise<void> {
    return this.#stream.close();
  }

  #playedTo(played: number): void {
    this.#buffer.playedTo(this.#ours(played));
  }

  #ours(samples: number): number {
    return Math.round(this.#base + samples * this.#scale);
  }
}
