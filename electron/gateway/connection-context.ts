import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Mode, ServerEvent } from '../../shared/protocol/realtime-api.ts';
import type { SharedGatewayDeps } from './gateway-model.ts';
import {
  type FaultPlan,
  type GatewayOptions,
  planFaults,
  makeSessionId,
} from './gateway-options.ts';

/** The gateway's end of one client connection. */
export interface ClientSocket {
  readonly send: (text: string) => void;
  readonly sendBinary: (bytes: Uint8Array) => void;
  readonly close: (code: number, reason: string) => void;
  /** Cuts the connection without a close frame, after pending messages are sent. */
  readonly terminate: () => void;
  /** Raises the limit on incoming messages, which is low until the client has a session. */
  readonly setMaxMessageBytes: (bytes: number) => void;
}

/** Handles what one client sends. */
export interface ConnectionHandler {
  /** A text frame, or `undefined` for a binary one. */
  readonly receive: (text: string | undefined) => void;
  readonly disconnected: () => void;
}

/** The mode, faults and outgoing messages of one connection. */
export interface ConnectionContext {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
  readonly faults: FaultPlan;
  readonly outbox: Outbox;
  readonly sessionId: string;
  readonly emit: (event: ServerEvent) => void;
}

/** Without a wall clock, dates count from this time, in ms since 1970. The example in the legacy documents has this time. */
const exampleEpoch = 1_714_200_000_000;

export interface ConnectionContextDeps {
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
}

export function openConnectionContext(
  { options, deps }: ConnectionContextDeps,
  session: number,
  mode: Mode,
  socket: ClientSocket,
): ConnectionContext {
  const faults = planFaults(options.faults, session);
  const outbox = openOutbox(socket, deps.clock, deps.random, faults.find('delay'));
  const isDeployed = options.profile === 'deployed';
  const wallClock = deps.wallClock ?? (() => exampleEpoch + deps.clock.now());
  const sessionId = makeSessionId(options.dialect, session, { wallClock, random: deps.random });
  return {
    mode,
    options,
    deps,
    faults,
    outbox,
    sessionId,
    emit: (event) => {
      const stamped = isDeployed ? { ...event, serverTime: wallClock() } : event;
      for (const frame of deps.codec.encodeServerEvent(stamped, options.dialect))
        outbox.send(frame);
    },
  };
}

export interface SendDelay {
  readonly ms: number;
  readonly jitterMs?: number | undefined;
}

/** Sends messages and closes in order, even if a fault delays them. */
interface Outbox extends ClientSocket {
  /** Discards everything that has not been sent. */
  readonly stop: () => void;
}

function openOutbox(
  socket: ClientSocket,
  clock: Clock,
  random: Random,
  delay: SendDelay | undefined,
): Outbox {
  let waiting: (() => void)[] = [];
  let cancels: (() => void)[] = [];
  let dueAt = 0;
  let isStopped = false;

  function schedule(run: () => void): void {
    if (isStopped) return;
    if (delay === undefined) {
      run();
      return;
    }
    const jitter = (delay.jitterMs ?? 0) * (2 * random() - 1);
    dueAt = Math.max(dueAt, clock.now() + Math.max(0, delay.ms + jitter));
    waiting.push(run);
    // Each timer sends the oldest entry, because timers that are due together may fire in any order.
    cancels.push(
      clock.after(dueAt - clock.now(), () => {
        cancels.shift();
        waiting.shift()?.();
      }),
    );
  }

  return {
    send: (text) => schedule(() => socket.send(text)),
    sendBinary: (bytes) => schedule(() => socket.sendBinary(bytes)),
    close: (code, reason) => schedule(() => socket.close(code, reason)),
    terminate: () => schedule(socket.terminate),
    setMaxMessageBytes: socket.setMaxMessageBytes,
    stop: () => {
      isStopped = true;
      waiting = [];
      for (const cancel of cancels) cancel();
      cancels = [];
    },
  };
}
