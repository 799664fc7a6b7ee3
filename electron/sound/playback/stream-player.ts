import { outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { DeviceChoice, SoundDriver, SpeakerStream } from '../../ports/sound.ts';
import { SincResampler } from '../dsp/sinc-resampler.ts';
import type { PlayoutBuffer } from './playout-buffer.ts';

export interface StreamPlayerDeps {
  readonly driver: Pick<SoundDriver, 'openSpeaker'>;
}

/** As much is resampled at once. */
const maxPieceSamples = 4 * outputRate;

/** One stream of one device, together with what resamples for it. */
export async function openStreamPlayer(
  choice: DeviceChoice,
  buffer: PlayoutBuffer,
  { driver }: StreamPlayerDeps,
): Promise<Outcome<StreamPlayer>> {
  const opened = await driver.openSpeaker(choice, outputRate);
  return opened.ok ? { ok: true, value: new StreamPlayer(opened.value, buffer) } : opened;
}

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
    // What the resampler still holds belongs to what is dropped.
    this.#resampler?.restart();
    this.#rest = new Float32Array();
    this.#base = this.#buffer.played - played * this.#scale;
  }

  /** What the stream has not played, the next one shall. */
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
