import { createBackendCodec, type Backend } from '../../electron/gateway/backend.ts';
import type { ConnectionHandler } from '../../electron/gateway/connection-context.ts';
import {
  defaultGatewayOptions,
  type GatewayOptions,
} from '../../electron/gateway/gateway-options.ts';
import { type Gateway, openGateway } from '../../electron/gateway/gateway.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type { AppendEvent, ClientEvent, ServerEvent } from '../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { fakePictures } from '../fakes/fake-pictures.ts';
import { fakeSpeech } from '../fakes/fake-speech.ts';
import { flushPromises } from '../fakes/flush-promises.ts';
import { seeded } from '../fakes/seeded.ts';
import { speech } from './stand-in-models.ts';
import { StandInServer } from './stand-in-server.ts';
import type { StandInFaults } from './stand-in-faults.ts';

const second = 1000;
const endless = { audio: 1e6, video: 1e6 };
const silence = new Float32Array(16_000);
const base64 = bufferBase64;

type EventOf<Kind extends ServerEvent['kind']> = Extract<ServerEvent, { kind: Kind }>;

/** A client, Parley's gateway and the stand-in, joined in process on a clock that the test advances. */
export class InProcessChain {
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
