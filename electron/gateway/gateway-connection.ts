import type { ClientEvent, ConfigureEvent } from '../../shared/protocol/client-event.ts';
import {
  maxClientMessageBytes,
  maxEarlyMessageBytes,
  maxTalkMessageBytes,
} from '../../shared/protocol/realtime-api.ts';
import type { ConnectionContext, ConnectionHandler } from './connection-context.ts';
import { openSessionModel, type SessionModel } from './duplex-model.ts';
import { applyStepFaults, refusedFieldProblem } from './gateway-faults.ts';
import {
  countTextTokens,
  type ModelEnvironment,
  openContextWindow,
  type RequestProblem,
  SessionUsage,
  sliceProblem,
} from './gateway-model.ts';
import type { FaultStep } from './gateway-options.ts';
import {
  isDeployedLegacy,
  isDeployedUnified,
  makeGatewayId,
  reactionTo,
} from './server-profile.ts';
import type { WorkerRequest } from './worker-pool.ts';

const handOverMs = 20;
const templateTokens = 20;

const notCreated = { code: 'not_ready', message: 'the session is not created yet' };
const notAssigned = { code: 'not_ready', message: 'no worker is assigned yet' };
const configuredAlready = { code: 'invalid_event', message: 'the session is configured already' };
const closedTooSoon = { code: 'invalid_event', message: 'only the configuration may be sent now' };
const tooMuch = { code: 'invalid_payload', message: 'input comes faster than it is worked' };
const tooSoon = { code: 'invalid_payload', message: 'so much may not be sent before the session' };

type Phase = 'queued' | 'assigned' | 'configuring' | 'live' | 'over';

export interface GatewayConnection extends ConnectionHandler {
  readonly request: WorkerRequest;
  readonly shutDown: () => void;
}

/** One connection from its queueing to its end. `gone` is called once, when it needs its worker no more. */
export function openGatewayConnection(
  connectionContext: ConnectionContext,
  gone: (how: 'clean' | 'abrupt') => void,
): GatewayConnection {
  const { mode, options, deps, faults, outbox, sessionId, emit } = connectionContext;
  const { clock } = deps;
  const documented = options.profile === 'documented';
  const ticket = makeGatewayId('ticket', deps.random);
  const held = openHeldEvents();
  /** As the address says, or as a configure says otherwise. */
  let runtimeMode = mode;
  let phase: Phase = 'queued';
  let model: SessionModel | undefined;
  let toldFull = false;
  let usage: SessionUsage | undefined;
  let cancels: readonly (() => void)[] = [];

  function after(ms: number, run: () => void): void {
    cancels = [...cancels, clock.after(ms, run)];
  }

  function startLimit(): void {
    if (mode === 'chat') return;
    after(options.sessionSeconds[mode] * 1000, () => {
      finish('timeout');
    });
  }

  function release(how: 'clean' | 'abrupt' = 'clean'): void {
    phase = 'over';
    for (const cancel of cancels) cancel();
    model?.end();
    gone(how);
  }

  function cut(): void {
    outbox.terminate();
    release();
  }

  function closeSocket(code: number, reason: string): void {
    if (phase === 'over') return;
    if (isDeployedLegacy(options)) outbox.terminate();
    else outbox.close(code, reason);
    release();
  }

  function finish(reason: string, code = 1000, diagnostic?: string): void {
    if (phase === 'over') return;
    // It is the gateway itself that says so there, and only the worker knows the session's name.
    const nameless = reason === 'timeout' && isDeployedUnified(options);
    const named = nameless ? undefined : sessionId;
    emit({ kind: 'closed', sessionId: named, reason, diagnostic, metrics: usage?.metrics });
    closeSocket(code, reason);
  }

  function fail(code: string, message: string, closeCode: number): void {
    emit({ kind: 'error', code, message, type: 'server_error' });
    closeSocket(closeCode, code);
  }

  function refuse(problem: RequestProblem): void {
    const { code, message } = problem;
    switch (reactionTo(problem, options)) {
      case 'end':
        finish('backend_error', 1000, message);
        return;
      case 'badFrame':
        closeSocket(1003, 'invalid JSON');
        return;
      case 'error':
        emit({ kind: 'error', code, message, type: 'client_error' });
        return;
      case 'failedStep':
        emit({ kind: 'error', code: 'inference_failed', message, type: 'server_error' });
        return;
      case 'cut':
        cut();
        return;
      case 'ignore':
    }
  }

  function strikes(step: FaultStep): boolean {
    return !applyStepFaults(connectionContext, step, { cut, fail, finish });
  }

  function contextFull(): void {
    if (!isDeployedLegacy(options)) finish('context_full');
    else if (!toldFull) {
      emit({ kind: 'closed', sessionId, reason: 'context_full', metrics: usage?.metrics });
    }
    toldFull = true;
  }

  function configure(asked: ConfigureEvent): void {
    const { settings } = asked;
    const problem = sliceProblem(settings.maxSlices) ?? refusedFieldProblem(settings, faults);
    if (problem !== undefined) {
      refuse(problem);
      return;
    }
    phase = 'configuring';
    if (asked.runtimeMode === 'turn_based') runtimeMode = 'chat';
    model?.end();
    if (faults.find('neverCreated') !== undefined) return;
    const promptLength = templateTokens + countTextTokens(settings.instructions ?? '');
    const context = openContextWindow(options, promptLength);
    // Servers that count tell it of talks alone.
    const counts = options.tellsUsage === true && runtimeMode !== 'chat';
    usage = counts ? new SessionUsage(promptLength) : undefined;
    const environment: ModelEnvironment = {
      mode: runtimeMode,
      options,
      deps,
      settings,
      context,
      usage,
      faults,
      emit: (event) => {
        emit({ ...event, sessionId });
      },
      answer: (step, say) => {
        if (phase === 'live' && !strikes(step)) say();
      },
      sessionId,
      newResponseId: () => makeGatewayId('resp', deps.random),
      contextFull,
    };
    after(options.stepMs, () => {
      if (strikes('creation')) return;
      phase = 'live';
      outbox.takeMessagesUpTo(runtimeMode === 'chat' ? maxClientMessageBytes : maxTalkMessageBytes);
      model = openSessionModel(environment);
      const told = runtimeMode === 'chat' ? 'turn_based' : 'full_duplex';
      const metrics = usage?.metrics;
      emit({ kind: 'created', sessionId, runtimeMode: told, promptLength, metrics });
      goOn();
    });
  }

  /** What was held is worked as if it came now. */
  function goOn(): void {
    for (const event of held.takeAll()) answer(event);
  }

  function hold(event: ClientEvent): void {
    if (!held.hold(event)) refuse(tooMuch);
  }

  function answer(event: ClientEvent): void {
    if (phase === 'over') return;
    if (event.kind === 'close') {
      if (documented && phase !== 'live') refuse(phase === 'queued' ? notAssigned : closedTooSoon);
      else finish(options.dialect === 'legacy' ? 'stopped' : event.reason || 'client_closed');
    } else if (event.kind === 'configure') {
      if (phase === 'queued' && !held.holdsConfigure()) hold(event);
      else if (phase === 'assigned') configure(event);
      // Deployed legacy gateways begin anew; their pages never do it.
      else if (phase === 'live' && isDeployedLegacy(options)) configure(event);
      else refuse(configuredAlready);
    } else if (phase === 'live') {
      const problem = model?.take(event);
      if (problem !== undefined) refuse(problem);
    } else if (documented) {
      refuse(notCreated);
    } else if (phase === 'assigned') {
      // The worker of a unified gateway begins with what it has; that of a legacy one has nothing to step.
      if (options.dialect === 'legacy') {
        refuse(notCreated);
        return;
      }
      configure({ kind: 'configure', settings: {} });
      hold(event);
    } else {
      hold(event);
    }
  }

  function receive(text: string | undefined): void {
    if (phase === 'over') return;
    if (text === undefined) {
      refuse({ code: 'bad_json', message: 'binary frames are not part of this protocol' });
    } else if (phase !== 'live' && !held.mayRead(text.length)) {
      refuse(tooSoon);
    } else {
      const event = deps.codec.decodeClientEvent(text, options.dialect, {
        lenient: !documented,
        mode: runtimeMode,
      });
      if (event.kind === 'problem') refuse(event);
      else answer(event);
    }
  }

  function assigned(unwell: boolean): void {
    if (strikes('admission')) return;
    emit({ kind: 'admitted' });
    if (!documented) startLimit();
    if (unwell || faults.find('handover403') !== undefined) {
      // Whatever comes until then stays held: there is nobody to work it.
      after(handOverMs, () => {
        fail('session_failed', 'worker connection rejected: HTTP 403', 1000);
      });
      return;
    }
    phase = 'assigned';
    goOn();
  }

  if (documented) startLimit();
  const shutdown = faults.find('shutdown');
  if (shutdown !== undefined) after(shutdown.afterMs, shutDown);

  function shutDown(): void {
    finish('server_shutdown', 1001);
  }

  return {
    request: {
      mode,
      wedges: faults.find('wedge') !== undefined,
      blocked: faults.find('workerDown') !== undefined,
      onAssigned: assigned,
      onQueued: (stage, place) => {
        // Deployed gateways leave the ticket out of their updates.
        const told = stage === 'joined' || documented ? ticket : undefined;
        emit({ kind: 'queued', stage, ticket: told, ...place });
      },
      onRejected: () => {
        fail('queue_full', 'Queue full', 1013);
      },
    },
    receive,
    disconnected: () => {
      outbox.stop();
      if (phase !== 'over') release(isDeployedUnified(options) ? 'abrupt' : 'clean');
    },
    shutDown,
  };
}

/** A minute of appends, one a second; who sends more before it has a session is no client of this API. */
const maxHeld = 60;

/** The most that one connection may send in all before it has a session. */
const maxEarlyLetters = 2 * maxEarlyMessageBytes;

/** What came before its time and waits until it can be worked, in the order in which it came. */
export interface HeldEvents {
  /** Whether there was room for it. */
  readonly hold: (event: ClientEvent) => boolean;
  /** Whether so much may still be read of one who has no worker yet. */
  readonly mayRead: (letters: number) => boolean;
  readonly holdsConfigure: () => boolean;
  readonly takeAll: () => readonly ClientEvent[];
}

function openHeldEvents(): HeldEvents {
  let held: ClientEvent[] = [];
  let letters = 0;

  return {
    hold: (event) => {
      if (held.length >= maxHeld) return false;
      held.push(event);
      return true;
    },
    mayRead: (more) => {
      letters += more;
      return more <= maxEarlyMessageBytes && letters <= maxEarlyLetters;
    },
    holdsConfigure: () => held.some(({ kind }) => kind === 'configure'),
    takeAll: () => {
      const taken = held;
      held = [];
      return taken;
    },
  };
}
