import {
  defaultGatewayOptions,
  type DemoSpeech,
  type GatewayOptions,
} from '../../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { ConversationOptions } from '../../../../electron/talk/conversation-options.ts';
import { openSession } from '../../../../electron/talk/session/session.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import type { Sockets, Socket, SocketListener } from '../../../../shared/ports/sockets.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { ConversationHarness } from './conversation-harness.ts';

/** The embedded gateway in the same process. */
export function gatewaySockets(
  gateway: Partial<GatewayOptions>,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  speech: DemoSpeech,
): Sockets {
  const server = openGateway(
    { ...defaultGatewayOptions, ...gateway },
    { clock, random, codec: createServerCodec(bufferBase64), pictures: fakePictures(), speech },
  );
  return inProcessSockets(server, clock);
}

/** A conversation with the embedded gateway in the same process, on a fake clock. */
export function gatewayHarness(
  gateway: Partial<GatewayOptions>,
  options: Partial<ConversationOptions> = {},
  speech: DemoSpeech = fakeSpeech,
  wire?: { readonly around: (sockets: Sockets, clock: Clock) => Sockets },
  said?: (samples: Float32Array) => void,
): ConversationHarness {
  const clock = new FakeClock();
  const random = seeded(2);
  const line = gatewaySockets(gateway, { clock, random }, speech);
  const sockets = wire?.around(line, clock) ?? line;
  const codec = createClientCodec(bufferBase64);
  let rememberedDialect: DialectName | undefined;
  return new ConversationHarness(
    options,
    {
      ...(said && { onTransmitted: said }),
      openSession: (options, emit) =>
        openSession(
          { ...options, rememberedDialect },
          {
            sockets,
            clock,
            random,
            codec,
            emit,
            rememberDialect: (dialect) => {
              rememberedDialect = dialect;
            },
          },
        ),
    },
    clock,
  );
}

/** Speaks for 700 ms, then waits in silence until the answer begins. */
export function askAndWait(harness: ConversationHarness): void {
  const before = harness.emittedOf('audio').length;
  harness.pass(700, 0.3);
  for (
    let waited = 0;
    waited < 8000 && harness.emittedOf('audio').length === before;
    waited += 100
  ) {
    harness.pass(100);
  }
}

interface ConnectionLimit {
  readonly ms: number;
  readonly code: number;
}

/** Connections that the test closes with a code, without a protocol message. */
export class BreakableSockets {
  readonly #open = new Set<(code: number) => void>();
  readonly #limit: ConnectionLimit | undefined;
  #server: Sockets | undefined;
  #clock: Clock | undefined;

  /** @param limit closes each connection after this time */
  constructor(limit?: ConnectionLimit) {
    this.#limit = limit;
  }

  around(sockets: Sockets, clock: Clock): Sockets {
    this.#server = sockets;
    this.#clock = clock;
    return {
      connect: (mode, listener) => this.#connect(this.#server ?? sockets, mode, listener),
    };
  }

  /** Whether a second session is open or being opened. */
  get beginsAnother(): boolean {
    return this.#open.size > 1;
  }

  /** Closes all connections, including one that is being opened. */
  close(code: number): void {
    for (const close of this.#open) close(code);
    this.#open.clear();
  }

  /** Later connections lead to another server. */
  leadTo(sockets: Sockets): void {
    this.#server = sockets;
  }

  /** Connects other clients, which queue until they leave. */
  connectOthers(count: number): { readonly leave: () => void } {
    const nothing = (): void => undefined;
    const others = Array.from({ length: count }, () =>
      this.#server?.connect('audio', { opened: nothing, received: nothing, ended: nothing }),
    );
    return {
      leave: () => {
        for (const other of others) other?.terminate();
      },
    };
  }

  #connect(sockets: Sockets, mode: string, listener: SocketListener): Socket {
    let over = false;
    const inner = sockets.connect(mode, {
      opened: () => {
        if (!over) listener.opened();
      },
      received: (text) => {
        if (!over) listener.received(text);
      },
      ended: (end) => {
        this.#open.delete(close);
        if (!over) listener.ended(end);
        over = true;
      },
    });
    const close = (code: number): void => {
      over = true;
      inner.terminate();
      listener.ended({ kind: 'closed', code, reason: '' });
    };
    this.#open.add(close);
    if (this.#limit !== undefined) {
      const { ms, code } = this.#limit;
      this.#clock?.after(ms, () => {
        if (this.#open.delete(close)) close(code);
      });
    }
    return inner;
  }
}
