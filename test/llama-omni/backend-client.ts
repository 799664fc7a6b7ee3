import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { encodePcm } from '../../shared/protocol/base64-media.ts';

/** A frame of the server, with its time of arrival. */
export interface BackendFrame {
  readonly at: number;
  readonly type: string;
  readonly kind?: string;
  readonly text?: string;
  readonly reason?: string;
  readonly session_id?: string;
  readonly response_id?: string;
  readonly input_id?: string;
  readonly metrics?: Readonly<Record<string, unknown>>;
}

/** A client of `llama-omni-server` or its stand-in, which builds frames without Parley's codec. */
export class BackendClient {
  readonly frames: BackendFrame[] = [];
  readonly socket: WebSocket;
  #appends = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Omit<BackendFrame, 'at'>;
      this.frames.push({ ...frame, at: performance.now() });
      this.#wake();
    });
    this.socket.on('close', () => {
      this.#wake();
    });
    this.socket.on('error', () => undefined);
  }

  async init(changes: object = {}): Promise<BackendFrame> {
    await once(this.socket, 'open');
    this.send({
      type: 'session.init',
      payload: {
        mode: 'full_duplex',
        use_tts: true,
        system_prompt: '<|audio_end|>Be brief.<|im_end|>\n',
        voice: { ref_audio: sound(new Float32Array(16_000)) },
        config: { force_listen_count: 3 },
        ...changes,
      },
    });
    return this.next(({ type }) => type === 'session.created' || type === 'session.closed');
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** Sends a second of sound by default. Returns the number of the append. */
  append(audio: Float32Array = silence, input: object = {}): number {
    this.#appends += 1;
    const fields = { audio: sound(audio), input_id: `in ${this.#appends}`, ...input };
    this.send({ type: 'input.append', input: fields });
    return this.#appends;
  }

  /** Sends `pieces`, then silence, until a frame matches. Sends faster than real time, so the stand-in needs the fault `takesAnyPace`. */
  async until(
    matches: (frame: BackendFrame) => boolean,
    pieces: Float32Array[] = [],
  ): Promise<BackendFrame> {
    const from = this.frames.length;
    for (let count = 0; count < 40; count += 1) {
      const found = this.frames.slice(from).find(matches);
      if (found !== undefined) return found;
      this.append(pieces.shift());
      await wait(pauseMs);
    }
    throw new Error('the frame did not come within 40 appends');
  }

  async next(matches: (frame: BackendFrame) => boolean): Promise<BackendFrame> {
    for (;;) {
      const found = this.frames.find(matches);
      if (found !== undefined) return found;
      if (this.socket.readyState === this.socket.CLOSED) throw new Error('the server has closed');
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The frames that answer an append, by the number in their response id. */
  of(append: number): readonly BackendFrame[] {
    return this.frames.filter(({ response_id }) => response_id?.endsWith(`_resp_${append}`));
  }

  async closed(): Promise<void> {
    if (this.socket.readyState !== this.socket.CLOSED) await once(this.socket, 'close');
  }
}

const silence = new Float32Array(16_000);

/** Short enough that a few appends fit into the delay of sound. */
const pauseMs = 200;

/** A second of sound that the stand-in detects as speech. */
export const speech = Float32Array.from({ length: 16_000 }, (_, at) =>
  at < 12_000 ? 0.2 * Math.sin(at / 5) : 0,
);

function sound(samples: Float32Array): string {
  return encodePcm(samples, bufferBase64);
}
