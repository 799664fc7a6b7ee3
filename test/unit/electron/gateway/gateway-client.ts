import { joinSamples } from '../../../../electron/audio/dsp/samples.ts';
import type {
  ClientSocket,
  ConnectionHandler,
} from '../../../../electron/gateway/connection-context.ts';
import {
  defaultGatewayOptions,
  type GatewayDeps,
  type GatewayOptions,
} from '../../../../electron/gateway/gateway-options.ts';
import { type Gateway, openGateway } from '../../../../electron/gateway/gateway.ts';
import type { ClientEvent, ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { plainServerCodec, readPlain, writePlain } from '../../../fakes/plain-codec.ts';
import { seeded } from '../../../fakes/seeded.ts';

type EventOf<Kind extends ServerEvent['kind']> = Extract<ServerEvent, { kind: Kind }>;

/** A client of the gateway that records its messages with their times. */
export class GatewayClient implements ClientSocket {
  readonly frames: { readonly at: number; readonly text: string }[] = [];
  readonly binaries: Uint8Array[] = [];
  closed: { readonly at: number; readonly code: number; readonly reason: string } | undefined;
  wasCut = false;
  readonly caller: ConnectionHandler;
  readonly #clock: FakeClock;

  constructor(gateway: Gateway, clock: FakeClock, mode: string | undefined) {
    this.#clock = clock;
    const admission = gateway.admit(mode);
    if (!admission.accepted) throw new Error(`Refused with ${admission.status}.`);
    this.caller = gateway.connect(mode, this, admission.session);
  }

  readonly send = (text: string): void => {
    this.frames.push({ at: this.#clock.now(), text });
  };

  readonly sendBinary = (bytes: Uint8Array): void => {
    this.binaries.push(bytes);
  };

  readonly close = (code: number, reason: string): void => {
    this.closed = { at: this.#clock.now(), code, reason };
  };

  readonly terminate = (): void => {
    this.wasCut = true;
  };

  readonly setMaxMessageBytes = (): void => undefined;

  ask(ask: ClientEvent): void {
    this.caller.receive(writePlain(ask));
  }

  get events(): readonly ServerEvent[] {
    for (const { text } of this.frames.slice(this.#parsed.length)) {
      this.#parsed.push(readPlain(text) as ServerEvent);
    }
    return this.#parsed;
  }

  get kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind);
  }

  all<Kind extends ServerEvent['kind']>(kind: Kind): readonly EventOf<Kind>[] {
    return this.events.filter((event): event is EventOf<Kind> => event.kind === kind);
  }

  last<Kind extends ServerEvent['kind']>(kind: Kind): EventOf<Kind> | undefined {
    return this.all(kind).at(-1);
  }

  /** Messages since the last call. */
  news(): readonly ServerEvent[] {
    const from = this.#read;
    this.#read = this.frames.length;
    return this.events.slice(from);
  }

  #read = 0;
  readonly #parsed: ServerEvent[] = [];
}

export interface GatewayScene {
  readonly clock: FakeClock;
  readonly gateway: Gateway;
  readonly options: GatewayOptions;
  readonly enter: (mode?: string) => GatewayClient;
  /** Enters, configures and waits for `created`. */
  readonly goLive: (mode?: string, settings?: Settings) => GatewayClient;
  /** One append and the time its step takes. */
  readonly step: (client: GatewayClient, append?: Partial<AppendFields>) => readonly ServerEvent[];
}

type Settings = Extract<ClientEvent, { kind: 'configure' }>['settings'];
type AppendFields = Omit<Extract<ClientEvent, { kind: 'append' }>, 'kind'>;

export function setGatewayScene(
  options: Partial<GatewayOptions> = {},
  deps: Partial<GatewayDeps> = {},
): GatewayScene {
  const clock = new FakeClock();
  const all = { ...defaultGatewayOptions, ...options };
  const gateway = openGateway(all, {
    clock,
    random: seeded(1),
    codec: plainServerCodec,
    pictures: fakePictures(),
    speech: fakeSpeech,
    ...deps,
  });
  const enter = (mode?: string): GatewayClient => new GatewayClient(gateway, clock, mode);
  return {
    clock,
    gateway,
    options: all,
    enter,
    goLive: (mode = 'audio', settings = {}) => {
      const client = enter(mode);
      client.ask({ kind: 'configure', settings });
      clock.advance(all.stepMs);
      client.news();
      return client;
    },
    step: (client, append = {}) => {
      client.ask({ kind: 'append', audio: silence(1000), ...append });
      clock.advance(1000);
      return client.news();
    },
  };
}

export function silence(ms: number): Float32Array {
  return new Float32Array(ms * 16);
}

/** Sound that the gateway takes for a voice: loud, with both signs. */
export function voice(ms: number): Float32Array {
  return new Float32Array(ms * 16).map((_, at) => (Math.floor(at / 40) % 2 === 0 ? 0.25 : -0.25));
}

export const spokenTo = joinSamples([voice(400), silence(600)]);

/** The text of all answers to a client. */
export const textOf = (client: GatewayClient): string =>
  client
    .all('output')
    .map(({ text }) => text ?? '')
    .join('');
