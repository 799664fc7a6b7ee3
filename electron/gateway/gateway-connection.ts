import {
  type ClientEvent,
  type ConfigureEvent,
  type SessionSettings,
  maxClientMessageBytes,
  maxEarlyMessageBytes,
  maxTalkMessageBytes,
  normalClosure,
} from '../../shared/protocol/realtime-api.ts';
import { type BackendSession, openBackendSession } from './backend-session.ts';
import type { Backend } from './backend.ts';
import type { ConnectionContext, ConnectionHandler } from './connection-context.ts';
import {
  type CreatedDetails,
  openDemonstration,
  type RunningModel,
} from './demonstration-session.ts';
import { applyStepFaults, refusedFieldProblem } from './gateway-faults.ts';
import { type RequestProblem, sliceProblem } from './gateway-model.ts';
import {
  type BackendDeps,
  isDeployedLegacy,
  isDeployedUnified,
  makeGatewayId,
  chooseReaction,
} from './gateway-options.ts';
import type { AssignedWorker, WorkerRequest } from './worker-pool.ts';
import type { WorkerReturn } from './worker-slots.ts';

/** A worker that recovers, or that a fault makes fail, refuses the client this long after the admission. */
const handOverFailureMs = 20;

const notCreated = { code: 'not_ready', message: 'the session is not created yet' };
const notAssigned = { code: 'not_ready', message: 'no worker is assigned yet' };
const alreadyConfigured = { code: 'invalid_event', message: 'the session is configured already' };
const closeTooEarly = { code: 'invalid_event', message: 'only the configuration may be sent now' };
const tooManyEvents = {
  code: 'invalid_payload',
  message: 'input arrives faster than it is processed',
};
const tooMuchText = {
  code: 'invalid_payload',
  message: 'too much data before the session was created',
};

type Phase = 'queued' | 'assigned' | 'configuring' | 'live' | 'over';

export interface GatewayConnection extends ConnectionHandler {
  readonly request: WorkerRequest;
  readonly shutDown: () => void;
}

/** Callbacks of a connection to the worker pool. */
export interface GatewayConnectionHooks {
  /** Asks for another worker in place of one that failed, as `WorkerPool.retry` does. */
  readonly retry: (how: 'lost' | 'occupied', mayWait: boolean) => boolean;
  /** Called once, when the connection no longer needs a worker. */
  readonly onReleased: (how: WorkerReturn) => void;
}

/** Opens the session of one client connection, from the queue to the close. */
export function openGatewayConnection(
  connectionContext: ConnectionContext,
  { retry, onReleased }: GatewayConnectionHooks,
): GatewayConnection {
  const { mode, options, deps, faults, outbox, sessionId, emit } = connectionContext;
  const { clock } = deps;
  const isDocumented = options.profile === 'documented';
  const arrivedAt = clock.now();
  const ticket = makeGatewayId('ticket', deps.random);
  const pending = openPendingEvents();
  const announcesTools = options.takesTools === true ? true : undefined;
  /** The address sets the mode; a configure event can change it to a chat. */
  let runtimeMode = mode;
  let phase: Phase = 'queued';
  let model: RunningModel | undefined;
  let backendSession: BackendSession | undefined;
  let settings: SessionSettings | undefined;
  let hasReportedFull = false;
  let hasJoined = false;
  let worker: AssignedWorker | undefined;
  let cancels: readonly (() => void)[] = [];

  function after(ms: number, run: () => void): void {
    cancels = [...cancels, clock.after(ms, run)];
  }

  function startLimit(): void {
    if (mode === 'chat') return;
    after(options.sessionSeconds[mode] * 1000, () => finish('timeout'));
  }

  function release(how: WorkerReturn = 'clean'): void {
    phase = 'over';
    for (const cancel of cancels) cancel();
    model?.end();
    // With a model server, the worker is released when the server has ended its session.
    if (backendSession === undefined) onReleased(how);
  }

  function cut(): void {
    outbox.terminate();
    release();
  }

  function closeSocket(code: number, reason: string, how?: WorkerReturn): void {
    if (phase === 'over') return;
    if (isDeployedLegacy(options)) outbox.terminate();
    else outbox.close(code, reason);
    release(how);
  }

  function countEnd(reason: string): void {
    if (phase === 'live' && backendSession !== undefined)
      deps.backends?.metrics?.ended(runtimeMode, reason);
  }

  function finish(reason: string, code = normalClosure, diagnostic?: string): void {
    if (phase === 'over') return;
    countEnd(reason);
    // Deployed unified gateways send this event themselves, and only their workers know session ids.
    const omitsSessionId = reason === 'timeout' && isDeployedUnified(options);
    const shownSessionId = omitsSessionId ? undefined : sessionId;
    emit({
      kind: 'closed',
      sessionId: shownSessionId,
      reason,
      diagnostic,
      metrics: model?.metrics,
    });
    closeSocket(code, reason);
  }

  function fail(code: string, message: string, closeCode: number, how?: WorkerReturn): void {
    emit({ kind: 'error', code, message, type: 'server_error' });
    closeSocket(closeCode, code, how);
  }

  function refuse(problem: RequestProblem): void {
    const { code, message } = problem;
    switch (chooseReaction(problem, options)) {
      case 'end':
        finish('backend_error', normalClosure, message);
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

  function onContextFull(): void {
    if (!isDeployedLegacy(options)) finish('context_full');
    else if (!hasReportedFull) {
      emit({ kind: 'closed', sessionId, reason: 'context_full', metrics: model?.metrics });
    }
    hasReportedFull = true;
  }

  function configure(event: ConfigureEvent): void {
    const problem =
      sliceProblem(event.settings.maxSlices) ?? refusedFieldProblem(event.settings, faults);
    if (problem !== undefined) {
      refuse(problem);
      return;
    }
    phase = 'configuring';
    settings = event.settings;
    if (event.runtimeMode === 'turn_based') runtimeMode = 'chat';
    if (backendSession !== undefined) {
      backendSession.begin(runtimeMode, settings);
      return;
    }
    // The connection to the next model server is not open yet.
    if (worker?.backend !== undefined) return;
    model?.end();
    if (faults.find('neverCreated') !== undefined) return;
    model = openDemonstration(connectionContext, runtimeMode, settings, {
      isLive: () => phase === 'live',
      onCreated,
      onContextFull,
      target: { cut, fail, finish },
    });
  }

  /**
   * Connects before the client is admitted, so that the client can wait in the queue for another worker if this one
   * fails.
   */
  function connectBackend(backend: Backend, backends: BackendDeps): void {
    backendSession = openBackendSession(connectionContext, backend, backends, {
      onReady: () => {
        if (phase === 'queued') admit();
        else if (settings !== undefined) backendSession?.begin(runtimeMode, settings);
      },
      onUnavailable: ({ how, code, message }) => {
        backendSession = undefined;
        model = undefined;
        // An admitted client does not expect the queue again.
        if (!retry(how, phase === 'queued')) {
          backends.metrics?.record({ kind: 'error', code });
          fail(code, message, 1013, how);
        }
      },
      onCreated,
      onFailed: fail,
      onClosed: (reason, diagnostic) => {
        // The legacy documents have one reason, `error`, for all failures.
        const isFailure = reason === 'backend_error' && options.dialect === 'legacy';
        finish(isFailure ? 'error' : reason, normalClosure, diagnostic);
      },
      onReleased,
    });
    model = backendSession;
  }

  function onCreated({ promptLength, metrics }: CreatedDetails): void {
    phase = 'live';
    const isChat = runtimeMode === 'chat';
    outbox.setMaxMessageBytes(isChat ? maxClientMessageBytes : maxTalkMessageBytes);
    const wireMode = isChat ? 'turn_based' : 'full_duplex';
    emit({
      kind: 'created',
      sessionId,
      runtimeMode: wireMode,
      promptLength,
      metrics,
      takesTools: announcesTools,
    });
    handlePending();
  }

  /** Handles the pending events as if they came now. */
  function handlePending(): void {
    for (const event of pending.takeAll()) handleEvent(event);
  }

  function addPending(event: ClientEvent): void {
    if (!pending.add(event)) refuse(tooManyEvents);
  }

  function handleEvent(event: ClientEvent): void {
    if (phase === 'over') return;
    if (event.kind === 'close') {
      if (isDocumented && phase !== 'live')
        refuse(phase === 'queued' ? notAssigned : closeTooEarly);
      else finish(options.dialect === 'legacy' ? 'stopped' : event.reason || 'client_closed');
    } else if (event.kind === 'configure') {
      if (phase === 'queued' && !pending.hasConfigure()) addPending(event);
      else if (phase === 'assigned') configure(event);
      // Deployed legacy gateways restart the session on a second configure; their own pages never send it.
      // With a model server, a restart would leave its first session behind.
      else if (phase === 'live' && isDeployedLegacy(options) && backendSession === undefined)
        configure(event);
      else refuse(alreadyConfigured);
    } else if (phase === 'live') {
      const problem = model?.accept(event);
      if (problem !== undefined) refuse(problem);
    } else if (isDocumented) {
      refuse(notCreated);
    } else if (phase === 'assigned') {
      // A unified worker starts with default settings; a legacy one refuses the event.
      if (options.dialect === 'legacy') {
        refuse(notCreated);
        return;
      }
      configure({ kind: 'configure', settings: {} });
      addPending(event);
    } else {
      addPending(event);
    }
  }

  function receive(text: string | undefined): void {
    if (phase === 'over') return;
    if (text === undefined) {
      refuse({ code: 'bad_json', message: 'binary frames are not part of this protocol' });
    } else if (phase !== 'live' && !pending.countText(text.length)) {
      refuse(tooMuchText);
    } else {
      const event = deps.codec.decodeClientEvent(text, options.dialect, {
        lenient: !isDocumented,
        mode: runtimeMode,
      });
      if (event.kind === 'problem') refuse(event);
      else handleEvent(event);
    }
  }

  function onAssigned(assigned: AssignedWorker): void {
    worker = assigned;
    const { backend } = assigned;
    if (backend === undefined || deps.backends === undefined) admit(assigned.isRecovering);
    else connectBackend(backend, deps.backends);
  }

  function admit(isRecovering = false): void {
    deps.backends?.metrics?.waited(clock.now() - arrivedAt);
    if (!applyStepFaults(connectionContext, 'admission', { cut, fail, finish })) return;
    emit({ kind: 'admitted', takesTools: announcesTools });
    if (!isDocumented) startLimit();
    if (isRecovering || faults.find('handover403') !== undefined) {
      // Events that arrive before the failure stay pending, because there is no worker.
      after(handOverFailureMs, () => {
        fail('session_failed', 'worker connection rejected: HTTP 403', normalClosure);
      });
      return;
    }
    phase = 'assigned';
    handlePending();
  }

  if (isDocumented) startLimit();
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
      onAssigned,
      onQueued: (move, place) => {
        // A client whose worker failed returns to the queue. It has joined before, so it only moves.
        const stage = hasJoined ? 'moved' : move;
        hasJoined = true;
        // Deployed gateways omit the ticket from queue updates.
        const shownTicket = stage === 'joined' || isDocumented ? ticket : undefined;
        emit({ kind: 'queued', stage, ticket: shownTicket, ...place });
      },
      onRejected: (why) => {
        const code = why === 'full' ? 'queue_full' : 'service_unavailable';
        deps.backends?.metrics?.record({ kind: 'error', code });
        fail(code, why === 'full' ? 'Queue full' : 'No model server answers.', 1013);
      },
    },
    receive,
    disconnected: () => {
      outbox.stop();
      if (phase !== 'over') {
        countEnd('disconnected');
        const isAbrupt = isDeployedUnified(options) && worker?.backend === undefined;
        release(isAbrupt ? 'abrupt' : 'clean');
      }
    },
    shutDown,
  };
}

/** A minute of appends at one a second. A real client does not send more before it has a session. */
const maxPendingEvents = 60;

/** Limit on the total text of one connection before it has a session, in characters. */
const maxEarlyCharacters = 2 * maxEarlyMessageBytes;

/** Events that arrived before the session was created, in order. */
export interface PendingEvents {
  /** Returns false if there is no room. */
  readonly add: (event: ClientEvent) => boolean;
  /** Counts the characters of a message. Returns false if the message or all of them together exceed their limit. */
  readonly countText: (length: number) => boolean;
  readonly hasConfigure: () => boolean;
  readonly takeAll: () => readonly ClientEvent[];
}

function openPendingEvents(): PendingEvents {
  let events: ClientEvent[] = [];
  let characters = 0;

  return {
    add: (event) => {
      if (events.length >= maxPendingEvents) return false;
      events.push(event);
      return true;
    },
    countText: (more) => {
      characters += more;
      return more <= maxEarlyMessageBytes && characters <= maxEarlyCharacters;
    },
    hasConfigure: () => events.some(({ kind }) => kind === 'configure'),
    takeAll: () => {
      const all = events;
      events = [];
      return all;
    },
  };
}
