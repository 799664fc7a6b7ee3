import type { ChatTurnEvent } from '../../shared/protocol/client-event.ts';
import { maxClientMessageBytes } from '../../shared/protocol/realtime-api.ts';
import type { ServerEvent } from '../../shared/protocol/server-event.ts';
import { openChatModel } from './chat-model.ts';
import { readChatPrompt } from './chat-prompt.ts';
import type { ConnectionContext } from './connection-context.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import { applyStepFaults } from './gateway-faults.ts';
import { type GatewayModel, openContextWindow } from './gateway-model.ts';
import { makeGatewayId } from './server-profile.ts';
import type { WorkerPool, WorkerRequest } from './worker-pool.ts';

/** A worker that is still taken after this is called busy. */
const patienceMs = 5000;
const normal = 1000;

/**
 * One request of a written conversation at the path where older gateways have them: without a queue that is told
 * of, without a session, and over with its answer.
 */
export function openOlderChatConnection(
  connectionContext: ConnectionContext,
  workerPool: WorkerPool,
  gone: () => void,
): GatewayConnection {
  const { options, deps, faults, outbox } = connectionContext;
  const { clock } = deps;
  const codec = deps.codec.olderChat;
  let turn: ChatTurnEvent | undefined;
  let model: GatewayModel<ChatTurnEvent> | undefined;
  let over = false;
  let stopWaiting: (() => void) | undefined;

  function release(): void {
    over = true;
    stopWaiting?.();
    model?.end();
    workerPool.release(request, 'clean');
    gone();
  }

  function close(): void {
    if (over) return;
    outbox.close(normal, '');
    release();
  }

  function fail(message: string): void {
    if (over) return;
    outbox.send(codec.encodeError(message));
    close();
  }

  function cut(): void {
    outbox.terminate();
    release();
  }

  function say(event: ServerEvent, inputTokens: number): void {
    if (event.kind === 'output') {
      outbox.send(codec.encodeChunk(event));
    } else if (event.kind === 'done') {
      const generated = event.metrics?.figures['n_tokens'] ?? 0;
      outbox.send(codec.encodeDone(event, { input: inputTokens, generated }));
      close();
    }
  }

  function begin(asked: ChatTurnEvent): void {
    const { tokens } = readChatPrompt(asked);
    model = openChatModel({
      mode: 'chat',
      // Documented, because here the sound of an answer in one piece comes once.
      options: { ...options, profile: 'documented' },
      deps,
      settings: {},
      context: openContextWindow({ ...options, profile: 'documented' }, 0),
      faults,
      emit: (event) => {
        say(event, tokens);
      },
      answer: (step, answer) => {
        const strikes = {
          cut,
          fail: (_code: string, message: string) => fail(message),
          finish: fail,
        };
        if (applyStepFaults(connectionContext, step, strikes)) answer();
      },
      sessionId: connectionContext.sessionId,
      newResponseId: () => makeGatewayId('resp', deps.random),
      contextFull: () => {
        fail('the context is full');
      },
    });
    const problem = model.take(asked);
    if (problem === undefined) outbox.send(codec.encodePrefill(tokens));
    else fail(problem.message);
  }

  const request: WorkerRequest = {
    mode: 'chat',
    blocked: faults.find('workerDown') !== undefined,
    wedges: false,
    onAssigned: () => {
      stopWaiting?.();
      if (turn !== undefined) begin(turn);
    },
    onQueued: (stage) => {
      if (stage !== 'joined') return;
      stopWaiting = clock.after(patienceMs, () => {
        fail('Worker busy');
      });
    },
    onRejected: () => {
      fail('Worker busy');
    },
  };

  function receive(text: string | undefined): void {
    // One request a connection: what comes behind it is read by nobody.
    if (over || turn !== undefined) return;
    const asked = text === undefined ? undefined : codec.decodeRequest(text);
    if (asked === undefined || (asked.kind === 'problem' && asked.code === 'bad_json')) {
      close();
    } else if (asked.kind === 'problem') {
      fail(asked.message);
    } else {
      turn = asked;
      workerPool.acquire(request);
    }
  }

  outbox.takeMessagesUpTo(maxClientMessageBytes);
  return {
    request,
    receive,
    disconnected: () => {
      outbox.stop();
      if (!over) release();
    },
    shutDown: close,
  };
}
