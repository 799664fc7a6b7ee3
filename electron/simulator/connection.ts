import type { Append, ChatTurn, ClientAsk, Configure } from '../../shared/protocol/client-ask.ts';
import { openChat } from './chat.ts';
import { openContext, textTokens } from './context.ts';
import { openDuplex } from './duplex.ts';
import type { Caller } from './gateway.ts';
import { makeId } from './ids.ts';
import type { Guest } from './lobby.ts';
import { isPassedOver } from './manners.ts';
import type { Model, Problem, Room } from './room.ts';
import { sliceProblem } from './slices.ts';
import { sufferFaults } from './step-faults.ts';
import type { Visit } from './visit.ts';

const handoverMs = 20;
/** Chat has no limit; this is only for telling others how long they may have to wait. */
const usualChatSeconds = 30;
const templateTokens = 20;

type Phase = 'queued' | 'assigned' | 'configuring' | 'live' | 'over';

export interface Connection extends Caller {
  readonly guest: Guest;
  readonly shutDown: () => void;
}

/** One connection from its queueing to its end. `gone` is told once, when it needs its worker no more. */
export function openConnection(visit: Visit, gone: () => void): Connection {
  const { mode, options, needs, faults, outbox, sessionId, tell } = visit;
  const { clock } = needs;
  const documented = options.manners === 'documented';
  const ticket = makeId('ticket', needs.random);
  let phase: Phase = 'queued';
  let model: { take: (ask: Append | ChatTurn) => Problem | undefined; end: () => void } | undefined;
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

  function leave(): void {
    phase = 'over';
    for (const cancel of cancels) cancel();
    model?.end();
    gone();
  }

  function hangUp(code: number, reason: string): void {
    if (phase === 'over') return;
    outbox.close(code, reason);
    leave();
  }

  function finish(reason: string, code = 1000, diagnostic?: string): void {
    if (phase === 'over') return;
    tell({ kind: 'closed', sessionId, reason, diagnostic });
    hangUp(code, reason);
  }

  function fail(code: string, message: string, closeCode: number): void {
    tell({ kind: 'error', code, message, type: 'server_error' });
    hangUp(closeCode, code);
  }

  function refuse({ code, message }: Problem): void {
    if (!documented) finish('backend_error', 1000, message);
    else if (code === 'bad_json') hangUp(1003, 'invalid JSON');
    else tell({ kind: 'error', code, message, type: 'client_error' });
  }

  function configure({ settings }: Configure): void {
    const problem = sliceProblem(settings.maxSlices);
    if (problem !== undefined) {
      refuse(problem);
      return;
    }
    phase = 'configuring';
    if (faults.find('neverCreated') !== undefined) return;
    const promptLength = templateTokens + textTokens(settings.instructions ?? '');
    const context = openContext(options.contextTokens, options.manners, promptLength);
    const room: Room = {
      mode,
      options,
      needs,
      settings,
      context,
      faults,
      tell: (event) => {
        tell({ ...event, sessionId });
      },
      answer: (step, say) => {
        if (phase === 'live' && sufferFaults(visit, step, { cut, fail })) say();
      },
      newResponseId: () => makeId('resp', needs.random),
      contextFull: () => {
        finish('context_full');
      },
    };
    after(options.stepMs, () => {
      phase = 'live';
      model = mode === 'chat' ? chatOnly(openChat(room)) : duplexOnly(openDuplex(room));
      const runtimeMode = mode === 'chat' ? 'turn_based' : 'full_duplex';
      tell({ kind: 'created', sessionId, runtimeMode, promptLength });
    });
  }

  function cut(): void {
    outbox.cut();
    leave();
  }

  function answer(ask: ClientAsk): void {
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
    const ask = needs.codec.decodeAsk(text, options.dialect);
    if (ask.kind !== 'problem') answer(ask);
    else if (!(ask.code === 'unknown_event' && isPassedOver(text, options))) refuse(ask);
  }

  function assigned(): void {
    phase = 'assigned';
    tell({ kind: 'admitted' });
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
    guest: {
      held: faults.find('workerDown') !== undefined,
      seconds: mode === 'chat' ? usualChatSeconds : options.sessionSeconds[mode],
      assigned,
      placed: (stage, place) => {
        // Deployed gateways leave the ticket out of their updates.
        const told = stage === 'joined' || documented ? ticket : undefined;
        tell({ kind: 'queued', stage, ticket: told, ...place });
      },
      turnedAway: () => {
        fail('queue_full', 'Queue full', 1013);
      },
    },
    receive,
    left: () => {
      outbox.silence();
      if (phase !== 'over') leave();
    },
    shutDown,
  };
}

function chatOnly(chat: Model<ChatTurn>) {
  const missing = { code: 'missing_field', message: 'messages field is required' };
  return {
    take: (ask: Append | ChatTurn) => (ask.kind === 'chat' ? chat.take(ask) : missing),
    end: chat.end,
  };
}

function duplexOnly(duplex: Model<Append>) {
  const missing = { code: 'missing_field', message: 'audio field is required' };
  return {
    take: (ask: Append | ChatTurn) => (ask.kind === 'append' ? duplex.take(ask) : missing),
    end: duplex.end,
  };
}
