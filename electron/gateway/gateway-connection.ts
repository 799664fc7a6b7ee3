import type {
  AppendEvent,
  ChatTurnEvent,
  ClientEvent,
  ConfigureEvent,
} from '../../shared/protocol/client-event.ts';
import { openChatModel } from './chat-model.ts';
import { openContextWindow, countTextTokens } from './context-window.ts';
import { openDuplexModel } from './duplex-model.ts';
import type { ConnectionHandler } from './gateway.ts';
import { makeGatewayId } from './gateway-ids.ts';
import type { WorkerRequest } from './worker-pool.ts';
import { isIgnoredFrame } from './server-profile.ts';
import type { GatewayModel, RequestProblem, ModelEnvironment } from './gateway-model.ts';
import { sliceProblem } from './gateway-model.ts';
import { applyStepFaults } from './step-faults.ts';
import type { ConnectionContext } from './connection-context.ts';

const handoverMs = 20;
/** Chat has no limit; this is only for telling others how long they may have to wait. */
const defaultChatSeconds = 30;
const templateTokens = 20;

type Phase = 'queued' | 'assigned' | 'configuring' | 'live' | 'over';

export interface GatewayConnection extends ConnectionHandler {
  readonly request: WorkerRequest;
  readonly shutDown: () => void;
}

/** One connection from its queueing to its end. `gone` is called once, when it needs its worker no more. */
export function openGatewayConnection(
  connectionContext: ConnectionContext,
  gone: () => void,
): GatewayConnection {
  const { mode, options, deps, faults, outbox, sessionId, emit } = connectionContext;
  const { clock } = deps;
  const documented = options.profile === 'documented';
  const ticket = makeGatewayId('ticket', deps.random);
  let phase: Phase = 'queued';
  let model:
    | { take: (ask: AppendEvent | ChatTurnEvent) => RequestProblem | undefined; end: () => void }
    | undefined;
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

  function release(): void {
    phase = 'over';
    for (const cancel of cancels) cancel();
    model?.end();
    gone();
  }

  function closeSocket(code: number, reason: string): void {
    if (phase === 'over') return;
    outbox.close(code, reason);
    release();
  }

  function finish(reason: string, code = 1000, diagnostic?: string): void {
    if (phase === 'over') return;
    emit({ kind: 'closed', sessionId, reason, diagnostic });
    closeSocket(code, reason);
  }

  function fail(code: string, message: string, closeCode: number): void {
    emit({ kind: 'error', code, message, type: 'server_error' });
    closeSocket(closeCode, code);
  }

  function refuse({ code, message }: RequestProblem): void {
    if (!documented) finish('backend_error', 1000, message);
    else if (code === 'bad_json') closeSocket(1003, 'invalid JSON');
    else emit({ kind: 'error', code, message, type: 'client_error' });
  }

  function configure({ settings }: ConfigureEvent): void {
    const problem = sliceProblem(settings.maxSlices);
    if (problem !== undefined) {
      refuse(problem);
      return;
    }
    phase = 'configuring';
    if (faults.find('neverCreated') !== undefined) return;
    const promptLength = templateTokens + countTextTokens(settings.instructions ?? '');
    const context = openContextWindow(options.contextTokens, options.profile, promptLength);
    const environment: ModelEnvironment = {
      mode,
      options,
      deps,
      settings,
      context,
      faults,
      emit: (event) => {
        emit({ ...event, sessionId });
      },
      answer: (step, say) => {
        if (phase === 'live' && applyStepFaults(connectionContext, step, { cut, fail })) say();
      },
      newResponseId: () => makeGatewayId('resp', deps.random),
      contextFull: () => {
        finish('context_full');
      },
    };
    after(options.stepMs, () => {
      phase = 'live';
      model =
        mode === 'chat'
          ? chatOnly(openChatModel(environment))
          : duplexOnly(openDuplexModel(environment));
      const runtimeMode = mode === 'chat' ? 'turn_based' : 'full_duplex';
      emit({ kind: 'created', sessionId, runtimeMode, promptLength });
    });
  }

  function cut(): void {
    outbox.terminate();
    release();
  }

  function answer(ask: ClientEvent): void {
    if (ask.kind === 'close') {
      finish(options.dialect === 'legacy' ? 'stopped' : ask.reason || 'client_closed');
    } else if (ask.kind === 'configure') {
      if (phase === 'assigned') configure(ask);
      else if (phase === 'queued')
        refuse({ code: 'not_ready', message: 'no worker is assigned yet' });
      else refuse({ code: 'invalid_event', message: 'the session is configured already' });
    } else if (phase !== 'live') {
      refuse({ code: 'not_ready', message: 'the session is not created yet' });
    } else {
      const problem = model?.take(ask);
      if (problem !== undefined) refuse(problem);
    }
  }

  function receive(text: string | undefined): void {
    if (phase === 'over') return;
    if (text === undefined) {
      refuse({ code: 'bad_json', message: 'binary frames are not part of this protocol' });
      return;
    }
    const ask = deps.codec.decodeClientEvent(text, options.dialect);
    if (ask.kind !== 'problem') answer(ask);
    else if (!(ask.code === 'unknown_event' && isIgnoredFrame(text, options))) refuse(ask);
  }

  function assigned(): void {
    phase = 'assigned';
    emit({ kind: 'admitted' });
    if (!documented) startLimit();
    if (faults.find('handover403') === undefined) return;
    after(handoverMs, () => {
      fail('session_failed', 'worker connection rejected: HTTP 403', 1000);
    });
  }

  if (documented) startLimit();
  const shutdown = faults.find('shutdown');
  if (shutdown !== undefined) after(shutdown.afterMs, shutDown);

  function shutDown(): void {
    finish('server_shutdown', 1001);
  }

  return {
    request: {
      blocked: faults.find('workerDown') !== undefined,
      maxSeconds: mode === 'chat' ? defaultChatSeconds : options.sessionSeconds[mode],
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
      if (phase !== 'over') release();
    },
    shutDown,
  };
}

function chatOnly(chat: GatewayModel<ChatTurnEvent>) {
  const missing = { code: 'missing_field', message: 'messages field is required' };
  return {
    take: (ask: AppendEvent | ChatTurnEvent) => (ask.kind === 'chat' ? chat.take(ask) : missing),
    end: chat.end,
  };
}

function duplexOnly(duplex: GatewayModel<AppendEvent>) {
  const missing = { code: 'missing_field', message: 'audio field is required' };
  return {
    take: (ask: AppendEvent | ChatTurnEvent) =>
      ask.kind === 'append' ? duplex.take(ask) : missing,
    end: duplex.end,
  };
}
