import {
  defaultGatewayOptions,
  type DemoSpeech,
  type GatewayOptions,
} from '../../../electron/gateway/gateway-options.ts';
import { type Gateway, openGateway } from '../../../electron/gateway/gateway.ts';
import { loadDemoSpeech } from '../../../electron/platform/files/demo-speech.ts';
import { serveGateway } from '../../../electron/platform/gateway/gateway-server.ts';
import { PictureThread } from '../../../electron/platform/pictures/picture-thread.ts';
import { createPictures } from '../../../electron/platform/pictures/pictures.ts';
import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import { createServerCodec, type ServerCodec } from '../../../shared/protocol/server-codec.ts';
import { instant } from '../../contract/sound/player.ts';
import { Tone } from '../sound/tone.ts';

// A child process with the embedded gateway, which reports the times of frames.

export interface GatewayPlan {
  readonly options: Partial<GatewayOptions>;
  /** Answers with a tone of this length instead of the recorded sentences of the demonstration. */
  readonly toneSeconds?: number;
  /** Origins of pages that may connect; none by default. */
  readonly allowedOrigins?: readonly string[];
}

export type GatewayMessage =
  | { readonly kind: 'ready'; readonly url: string }
  /** Sound was passed to the socket. */
  | {
      readonly kind: 'output';
      readonly at: number;
      readonly session: number;
      readonly text: string;
      readonly samples: number;
    }
  | { readonly kind: 'listen'; readonly at: number }
  /** An append arrived, with the end of its sound. */
  | {
      readonly kind: 'append';
      readonly at: number;
      readonly session: number;
      readonly samples: number;
      readonly frames: number;
      readonly end: readonly number[];
    };

export type SentOutput = Extract<GatewayMessage, { kind: 'output' }>;

/** How many samples of an append's end are reported: enough to find them in noise. */
const endSamples = 640;

const emit = (message: GatewayMessage): void => void process.send?.(message);

export async function run(planJson: string): Promise<void> {
  const plan = JSON.parse(planJson) as GatewayPlan;
  const watch = new FrameTimer();
  const gateway = openGateway(
    { ...defaultGatewayOptions, ...plan.options },
    {
      clock: systemClock,
      random: Math.random,
      codec: watch.codec,
      pictures: createPictures(new PictureThread()),
      speech: await speechOf(plan),
    },
  );
  const log = { write: () => undefined };
  const served = await serveGateway(watch.around(gateway), {
    port: 0,
    log,
    allowedOrigins: plan.allowedOrigins,
  });
  if (!served.ok) throw new Error(served.error.code);
  emit({ kind: 'ready', url: served.value.url });
  process.on('disconnect', () => {
    process.exit();
  });
}

async function speechOf({ toneSeconds }: GatewayPlan): Promise<DemoSpeech> {
  if (toneSeconds === undefined) {
    const speech = await loadDemoSpeech('resources/speech');
    if (!speech.ok) throw new Error(speech.error.code);
    return speech.value;
  }
  const audio = new Tone(outputRate).next(toneSeconds * outputRate);
  const words = [{ text: 'tone', start: 0, end: toneSeconds }];
  return { clips: [{ id: 'tone', text: 'tone', words, audio }] };
}

/** Reports when frames pass the connection, which may be later than the gateway creates them. */
class FrameTimer {
  readonly #inner = createServerCodec(bufferBase64);
  /** The reports of outputs, by the output's last frame. */
  readonly #pendingReports = new Map<string, (session: number) => void>();
  #lastArrival = { at: 0, session: 0 };

  readonly codec: ServerCodec = {
    olderChat: this.#inner.olderChat,
    encodeServerEvent: (event, dialect) => {
      const frames = this.#inner.encodeServerEvent(event, dialect);
      const last = frames.at(-1) ?? '';
      if (event.kind === 'listen')
        this.#pendingReports.set(last, () => {
          emit({ kind: 'listen', at: instant() });
        });
      if (event.kind === 'output' && event.audio !== undefined) {
        const { text = '', audio } = event;
        this.#pendingReports.set(last, (session) => {
          emit({ kind: 'output', at: instant(), session, text, samples: audio.length });
        });
      }
      return frames;
    },
    decodeClientEvent: (text, dialect, reading) => {
      const event = this.#inner.decodeClientEvent(text, dialect, reading);
      if (event.kind === 'append') {
        const end = [...event.audio.subarray(-endSamples)];
        const frames = event.frames?.length ?? 0;
        emit({ kind: 'append', ...this.#lastArrival, samples: event.audio.length, frames, end });
      }
      return event;
    },
  };

  around(gateway: Gateway): Gateway {
    return {
      ...gateway,
      connect: (mode, line, session) => {
        const send = (text: string): void => {
          this.#pendingReports.get(text)?.(session);
          this.#pendingReports.delete(text);
          line.send(text);
        };
        const caller = gateway.connect(mode, { ...line, send }, session);
        const receive = (text: string | undefined): void => {
          this.#lastArrival = { at: instant(), session };
          caller.receive(text);
        };
        return { ...caller, receive };
      },
    };
  }
}
