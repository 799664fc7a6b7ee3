import { afterEach, describe, expect, it } from 'vitest';
import { openLiveHarness } from './backend-harness.ts';
import { speech } from '../../../llama-omni/stand-in-models.ts';
import type {
  ServerEvent,
  AppendEvent,
  ClientEvent,
} from '../../../../shared/protocol/realtime-api.ts';
import type { StandInFaults } from '../../../llama-omni/stand-in-faults.ts';
import { createBackendCodec, type Backend } from '../../../../electron/gateway/backend.ts';
import type { ConnectionHandler } from '../../../../electron/gateway/connection-context.ts';
import {
  defaultGatewayOptions,
  type GatewayOptions,
} from '../../../../electron/gateway/gateway-options.ts';
import { type Gateway, openGateway } from '../../../../electron/gateway/gateway.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { StandInServer } from '../../../llama-omni/stand-in-server.ts';

const second = 1000;
const endless = { audio: 1e6, video: 1e6 };
const silence = new Float32Array(16_000);
const base64 = bufferBase64;

type EventOf<Kind extends ServerEvent['kind']> = Extract<ServerEvent, { kind: Kind }>;

/** A client, Parley's gateway and the stand-in, joined in process on a clock that the test advances. */
class InProcessChain {
  readonly clock = new FakeClock();
  readonly omni: StandInServer;
  readonly gateway: Gateway;
  /** Sessions that were closed over HTTP. */
  readonly closes: string[] = [];
  readonly events: ServerEvent[] = [];
  #client: ConnectionHandler | undefined;
  #appends = 0;
  readonly #codec = createClientCodec(base64);

  constructor(
    faults: StandInFaults,
    { contextSize = 4096, ...options }: Partial<GatewayOptions> & { contextSize?: number } = {},
  ) {
    this.omni = new StandInServer({
      clock: this.clock,
      random: seeded(faults.seed ?? 1),
      speech: fakeSpeech,
      faults,
      contextSize,
      modelFolder: 'model',
      media: { save: () => undefined, remove: () => undefined },
      log: () => undefined,
      exit: () => undefined,
    });
    this.gateway = openGateway(
      {
        ...defaultGatewayOptions,
        contextTokens: contextSize,
        sessionSeconds: endless,
        ...options,
        workers: 1,
      },
      {
        clock: this.clock,
        random: seeded(2),
        codec: createServerCodec(base64),
        pictures: fakePictures(),
        speech: fakeSpeech,
        backends: {
          servers: [this.#backend()],
          codec: createBackendCodec(base64),
          defaultVoice: new Float32Array(16_000),
        },
      },
    );
  }

  eventsOf<Kind extends ServerEvent['kind']>(kind: Kind): readonly EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  /** Connects, configures and waits for the session. */
  async begin(mode = 'audio', instructions = 'Be brief.'): Promise<void> {
    const admission = this.gateway.admit(mode);
    if (!admission.accepted) throw new Error(`refused with ${admission.status}`);
    this.#client = this.gateway.connect(
      mode,
      {
        send: (text) => {
          this.events.push(this.#codec.decodeServerEvent(text));
        },
        sendBinary: () => undefined,
        close: () => undefined,
        terminate: () => undefined,
        setMaxMessageBytes: () => undefined,
      },
      admission.session,
    );
    this.sendEvent({ kind: 'configure', settings: { instructions } });
    for (let turn = 0; turn < 100 && this.eventsOf('created').length === 0; turn += 1) {
      await flushPromises();
      this.clock.advance(50);
    }
  }

  sendEvent(event: ClientEvent): void {
    this.#client?.receive(this.#codec.encodeClientEvent(event, 'unified'));
  }

  /** Sends a second of sound, and lets the second pass. */
  append(audio: Float32Array = silence, changes: Partial<AppendEvent> = {}): void {
    this.#appends += 1;
    this.sendEvent({ kind: 'append', inputId: `in ${this.#appends}`, audio, ...changes });
    this.clock.advance(second);
  }

  /** Speaks to the model and listens until it has answered. */
  speakAndListen(): void {
    const from = this.events.length;
    this.append(speech);
    this.append(speech);
    for (let count = 0; count < 60; count += 1) {
      this.append();
      const news = this.events.slice(from);
      const firstOutput = news.findIndex(({ kind }) => kind === 'output');
      const listens = news.slice(firstOutput).filter(({ kind }) => kind === 'listen').length;
      if (firstOutput >= 0 && listens >= 3) return;
    }
  }

  async end(): Promise<void> {
    this.#client?.disconnected();
    for (let turn = 0; turn < 40; turn += 1) {
      await flushPromises();
      this.clock.advance(100);
    }
    void this.gateway.end();
    this.omni.end();
  }

  #backend(): Backend {
    return {
      name: 'ws://stand-in/backend',
      serves: 'both',
      isHealthy: () => Promise.resolve(true),
      closeSession: async (id) => {
        this.closes.push(id);
        return this.omni.closeSession(id);
      },
      connect: (listener) => {
        let isOpen = true;
        const end = (code: number): void => {
          if (!isOpen) return;
          isOpen = false;
          this.clock.after(0, () => {
            listener.ended({ kind: 'closed', code, reason: '' });
          });
        };
        const connection = this.omni.connect({
          send: (text) => {
            if (isOpen) listener.received(text);
          },
          close: () => {
            end(1000);
          },
        });
        this.clock.after(0, listener.opened);
        const leave = (code: number): void => {
          end(code);
          connection.disconnected();
        };
        return {
          send: connection.receive,
          close: leave,
          terminate: () => {
            leave(1006);
          },
        };
      },
    };
  }
}

describe('answers', () => {
  it('carry the id of their append, and one response id over several steps', () => {
    const { append, backend, client } = openLiveHarness('audio', { echoInputIds: false });
    append('a');
    backend.say(1, 'Hello');
    append('b');
    backend.say(2, ' there');
    const [first, second] = client.all('output');
    expect([first?.inputId, second?.inputId]).toEqual(['a', 'b']);
    expect(first?.responseId).toBe(second?.responseId);
    expect(client.all('done')).toEqual([]);
  });

  it('end at the first step without text, after the sound of the turn', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello');
    append('b');
    backend.listen(2);
    advance(300);
    expect(news()).toEqual(['a "Hello"']);
    backend.sound(2);
    expect(news()).toEqual(['a sound', 'a listen of a turn', 'b listen']);
  });

  it('get their late sound, even if it comes with the text of the next answer', () => {
    const { advance, append, backend, client } = openLiveHarness();
    append('a');
    backend.say(1, 'One');
    append('b');
    backend.listen(2);
    append('c');
    backend.say(3, 'Two');
    advance(100);
    backend.sound(3);
    advance(300);
    backend.sound(3);
    const [one, two, soundOfOne, soundOfTwo] = client.all('output');
    expect(two?.responseId).not.toBe(one?.responseId);
    expect(soundOfOne).toMatchObject({ responseId: one?.responseId, inputId: 'a' });
    expect(soundOfTwo).toMatchObject({ responseId: two?.responseId, inputId: 'c' });
  });

  it('continue for 0.7 s after silence in the middle of a sentence', () => {
    const { advance, append, backend, client, news } = openLiveHarness();
    append('a');
    backend.say(1, 'Hello,');
    backend.sound(1);
    append('b');
    append('c');
    advance(2199);
    backend.say(3, ' you');
    backend.sound(3);
    backend.sound(3);
    append('d');
    advance(2200);
    expect(new Set(client.all('output').map(({ responseId }) => responseId)).size).toBe(1);
    expect(news()).toEqual(['a "Hello,"', 'a sound', 'b ""', 'c " you"', 'c sound', 'c sound']);
    advance(700);
    expect(news()).toEqual(['c listen of a turn', 'd listen']);
  });

  it('are marked by a flag in the legacy dialect', () => {
    const { append, backend, client, news } = openLiveHarness('audio', { dialect: 'legacy' });
    append('a');
    backend.text(1, 'Hello', { kv_cache_length: 300 });
    backend.sound(1);
    backend.done(1, 'Hello');
    append('b');
    backend.listen(2);
    expect(news()).toEqual(['a "Hello"', 'a sound', 'a end of turn', 'b listen']);
    for (const { metrics } of client.all('output')) expect(metrics?.contextTokens).toBe(300);
  });
});

describe('an interruption', () => {
  it('does not end with the late text of an earlier step', () => {
    const { advance, append, backend, news } = openLiveHarness();
    append('0');
    backend.listen(1);
    append('a');
    advance(1500);
    append('b', { forceListen: true });
    news();
    backend.say(2, 'Hello');
    advance(300);
    backend.sound(3);
    backend.listen(3);
    expect(news()).toEqual(['a "Hello"', 'b listen']);
  });
});

describe('a whole talk', () => {
  let chain: InProcessChain;

  afterEach(async () => {
    await chain.end();
  });

  async function openChain(
    faults: StandInFaults = {},
    contextSize?: number,
  ): Promise<InProcessChain> {
    chain = new InProcessChain(faults, contextSize === undefined ? {} : { contextSize });
    await chain.begin();
    return chain;
  }

  const samplesOf = (events: readonly ServerEvent[]): number =>
    events.reduce(
      (sum, event) => sum + (event.kind === 'output' ? (event.audio?.length ?? 0) : 0),
      0,
    );
  const textOf = (events: readonly ServerEvent[]): string =>
    events.map((event) => (event.kind === 'output' && event.text) || '').join('');

  describe('the gateway in front of a model server with faults', () => {
    it('loses no sound and no text of 200 answers, and gives each answer one id', async () => {
      const { omni, events } = await openChain(
        {
          lostListens: 0.3,
          lostFragments: 0.1,
          silentSteps: 0.05,
          lateSound: { ms: 700, jitterMs: 400 },
          wrongIds: 0.05,
          stepMs: 300,
        },
        1_000_000,
      );
      for (let turn = 0; turn < 400 && omni.report.turnsSpoken < 200; turn += 1)
        chain.speakAndListen();
      for (let count = 0; count < 5; count += 1) chain.append();
      const { samplesSent, textSent, turnsSpoken } = omni.report;
      expect(samplesOf(events)).toBe(samplesSent);
      expect(textOf(events)).toBe(textSent);
      expect(chain.eventsOf('closed')).toEqual([]);
      expect(turnsSpoken).toBe(200);
      expect(new Set(chain.eventsOf('output').map(({ responseId }) => responseId)).size).toBe(200);
    });

    it('drops the sound of an answer that the client cut', async () => {
      await openChain({ lateSound: { ms: 1100 } });
      for (let count = 0; count < 3; count += 1) chain.append(speech);
      for (let count = 0; count < 10 && chain.eventsOf('output').length === 0; count += 1)
        chain.append();
      chain.append(undefined, { forceListen: true });
      const from = chain.events.length;
      for (let count = 0; count < 4; count += 1) chain.append();
      expect(chain.events.slice(from).map(({ kind }) => kind)).not.toContain('output');
      expect(chain.omni.report.forcedListens).toBe(1);
    });

    it('ends a session before its context is full and the model loses the start', async () => {
      await openChain({}, 600);
      for (let count = 0; count < 40 && chain.eventsOf('closed').length === 0; count += 1)
        chain.append();
      expect(chain.eventsOf('closed')[0]?.reason).toBe('context_full');
      expect(chain.omni.report.contextSlid).toBe(false);
      expect(chain.closes).toHaveLength(1);
    });
  });
});
