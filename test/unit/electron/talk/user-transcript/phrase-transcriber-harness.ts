import {
  type DemoClip,
  type GatewayOptions,
} from '../../../../../electron/gateway/gateway-options.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import {
  type PhraseProgress,
  PhraseTranscriber,
  type TranscriberStatus,
} from '../../../../../electron/talk/user-transcript/phrase-transcriber.ts';
import { openSession, type Session } from '../../../../../electron/talk/session/session.ts';
import { englishPhrasePrompt } from '../../../../../shared/i18n/en/prompts.ts';
import { gatewaySockets } from '../gateway-harness.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import type { DialectName, Mode } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { flushPromises } from '../../../../fakes/promises.ts';
import { seeded } from '../../../../fakes/seeded.ts';

/** Speech-like noise, different per seed. */
export function babble(seed: number, rate: number): Float32Array {
  const random = seeded(seed);
  const sound = new Float32Array(rate * 2);
  for (let at = 0; at < sound.length;) {
    const length = Math.floor((0.06 + random() * 0.15) * rate);
    const level = random() < 0.25 ? 0 : 0.1 + random() * 0.4;
    const turn = (2 * Math.PI * (250 + random() * 2500)) / rate;
    for (let n = 0; n < length && at < sound.length; n += 1, at += 1)
      sound[at] = level * Math.sin(turn * n);
  }
  return sound;
}

const sentences = ['Where is the station?', 'It is late.', 'Thank you.'];

const clips: readonly DemoClip[] = sentences.map((text, index) => ({
  id: text,
  text,
  words: [{ text, start: 0, end: 2 }],
  audio: babble(index + 1, 24_000),
}));

/** A PhraseTranscriber with the embedded gateway in the same process, on a fake clock. */
export class PhraseTranscriberHarness {
  readonly clock = new FakeClock();
  readonly news: (readonly [number, PhraseProgress])[] = [];
  readonly statuses: TranscriberStatus[] = [];
  readonly writer: PhraseTranscriber;
  opened = 0;
  readonly #open: (mode: Mode, emit: Parameters<typeof openSession>[1]['emit']) => Session;

  constructor(options: Partial<GatewayOptions> = {}, dialect: 'auto' | DialectName = 'auto') {
    const { clock } = this;
    const random = seeded(3);
    const sockets = gatewaySockets(options, { clock, random }, { clips });
    const codec = createClientCodec(bufferBase64);
    this.#open = (mode, emit) =>
      openSession(
        { mode, settings: {}, dialect, chunkMs: 1000 },
        { sockets, clock, random, codec, emit, rememberDialect: () => undefined },
      );
    this.writer = new PhraseTranscriber({
      clock,
      openSession: (_server, emit) => {
        this.opened += 1;
        return this.#open('chat', emit);
      },
      prompt: () => Promise.resolve(englishPhrasePrompt),
      onProgress: ({ at }, news) => {
        this.news.push([at, news]);
      },
      onStatus: (status) => {
        this.statuses.push(status);
      },
    });
  }

  talk(): Session {
    return this.#open('audio', () => undefined);
  }

  say(at: number, sentence: 0 | 1 | 2 | 'other' = 0, talk = 'talk'): void {
    const samples = babble(sentence === 'other' ? 99 : sentence + 1, 16_000);
    this.writer.add({ talk, at, server: 'server', samples });
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 50) {
      await flushPromises();
      this.clock.advance(50);
    }
    await flushPromises();
  }

  /** Latest progress by phrase. */
  get last(): Readonly<Record<number, PhraseProgress>> {
    return Object.fromEntries(this.news);
  }
}
