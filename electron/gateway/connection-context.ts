import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Mode } from '../../shared/protocol/realtime-api.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import type { SharedGatewayDeps } from './gateway-model.ts';
import { type FaultPlan, type GatewayOptions, planFaults } from './gateway-options.ts';
import { makeSessionId } from './server-profile.ts';

/** What the gateway does to a client. */
export interface ClientSocket {
  readonly send: (text: string) => void;
  readonly sendBinary: (bytes: Uint8Array) => void;
  readonly close: (code: number, reason: string) => void;
  /** Cuts the connection without a word, once what was said before is on its way. */
  readonly terminate: () => void;
  /** From now on messages may be so large; before, only as large as those of clients without a session. */
  readonly takeMessagesUpTo: (bytes: number) => void;
}

/** What a client does to the gateway. */
export interface ConnectionHandler {
  /** A text frame, or `undefined` for a binary one. */
  readonly receive: (text: string | undefined) => void;
  readonly disconnected: () => void;
}

/** One connection as the gateway answers it: its faults, its outgoing line and what it may say there. */
export interface ConnectionContext {
  readonly mode: Mode;
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
  readonly faults: FaultPlan;
  readonly outbox: Outbox;
  readonly sessionId: string;
  readonly emit: (event: ServerEvent) => void;
}

/** Where the legacy documents' own example of a time begins. */
const exampleEpoch = 1_714_200_000_000;

export interface ConnectionContextDeps {
  readonly options: GatewayOptions;
  readonly deps: SharedGatewayDeps;
}

export function openConnectionContext(
  { options, deps }: ConnectionContextDeps,
  session: number,
  mode: Mode,
  line: ClientSocket,
): ConnectionContext {
  const faults = planFaults(options.faults, session);
  const outbox = openOutbox(line, deps.clock, deps.random, faults.find('delay'));
  const deployed = options.profile === 'deployed';
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
      const stamped = deployed ? { ...event, serverTime: wallClock() } : event;
      for (const frame of deps.codec.encodeServerEvent(stamped, options.dialect))
        outbox.send(frame);
    },
  };
}

export interface SendDelay {
  readonly ms: number;
  readonly jitterMs?: number | undefined;
}

/** A line on which everything, goodbyes too, may be late but never out of order. */
interface Outbox extends ClientSocket {
  /** Nothing that is still on its way goes out any more. */
  readonly stop: () => void;
}

function openOutbox(
  line: ClientSocket,
  clock: Clock,
  random: Random,
  delay: SendDelay | undefined,
): Outbox {
  let waiting: (() => void)[] = [];
  let cancels: (() => void)[] = [];
  let due = 0;
  let silent = false;

  function schedule(run: () => void): void {
    if (silent) return;
    if (delay === undefined) {
      run();
      return;
    }
    const jitter = (delay.jitterMs ?? 0) * (2 * random() - 1);
    due = Math.max(due, clock.now() + Math.max(0, delay.ms + jitter));
    waiting.push(run);
    // Each timer lets the eldest go, whosever timer it is: timers of one moment may change places.
    cancels.push(
      clock.after(due - clock.now(), () => {
        cancels.shift();
        waiting.shift()?.();
      }),
    );
  }

  return {
    send: (text) => {
      schedule(() => {
        line.send(text);
      });
    },
    sendBinary: (bytes) => {
      schedule(() => {
        line.sendBinary(bytes);
      });
    },
    close: (code, reason) => {
      schedule(() => {
        line.close(code, reason);
      });
    },
    terminate: () => {
      schedule(line.terminate);
    },
    takeMessagesUpTo: line.takeMessagesUpTo,
    stop: () => {
      silent = true;
      waiting = [];
      for (const cancel of cancels) cancel();
      cancels = [];
    },
  };
}
