import {
  type ChatTurnEvent,
  maxClientMessageBytes,
  normalClosure,
  type ServerEvent,
} from '../../shared/protocol/realtime-api.ts';
import { openChatModel } from './chat-model.ts';
import { readChatPrompt } from './chat-prompt.ts';
import type { ConnectionContext } from './connection-context.ts';
import type { GatewayConnection } from './gateway-connection.ts';
import { applyStepFaults } from './gateway-faults.ts';
import { type GatewayModel, openContextWindow } from './gateway-model.ts';
import { makeGatewayId } from './gateway-options.ts';
import type { WorkerPool, WorkerRequest } from './worker-pool.ts';

/** The client gets "Worker busy" if no worker is free by then. */
const maxWaitMs = 5000;

/**
 * A client connection at the path of older gateways, for one chat request. It reports no queue, has no session, and closes
 * after its answer.
 */
export function openOlderChatConnection(
  connectionContext: ConnectionContext,
  workerPool: WorkerPool,
  onReleased: () => void,
): GatewayConnection {
  const { options, deps, faults, outbox } = connectionContext;
  const { clock } = deps;
  const codec = deps.codec.olderChat;
  let turn: ChatTurnEvent | undefined;
  let model: GatewayModel<ChatTurnEvent> | undefined;
  let isOver = false;
  let stopWaiting: (() => void) | undefined;

  function release(): void {
    isOver = true;
    stopWaiting?.();
    model?.end();
    workerPool.release(request, 'clean');
    onReleased();
  }

  function close(): void {
    if (isOver) return;
    outbox.close(normalClosure, '');
    release();
  }

  function fail(message: string): void {
    if (isOver) return;
    outbox.send(codec.encodeError(message));
    close();
  }

  function cut(): void {
    outbox.terminate();
    release();
  }

  function sendEvent(event: ServerEvent, inputTokens: number): void {
    if (event.kind === 'output') {
      outbox.send(codec.encodeChunk(event));
    } else if (event.kind === 'done') {
      const generated = event.metrics?.values['n_tokens'] ?? 0;
      outbox.send(codec.encodeDone(event, { input: inputTokens, generated }));
      close();
    }
  }

  function begin(chatRequest: ChatTurnEvent): void {
    const { tokens } = readChatPrompt(chatRequest);
    model = openChatModel({
      mode: 'chat',
      // The documented profile sends the sound of a whole answer once, as this path does.
      options: { ...options, profile: 'documented' },
      deps,
      settings: {},
      context: openContextWindow({ ...options, profile: 'documented' }, 0),
      faults,
      emit: (event) => sendEvent(event, tokens),
      answerStep: (step, answer) => {
        const faultTarget = {
          cut,
          fail: (_code: string, message: string) => fail(message),
          finish: fail,
        };
        if (applyStepFaults(connectionContext, step, faultTarget)) answer();
      },
      sessionId: connectionContext.sessionId,
      newResponseId: () => makeGatewayId('resp', deps.random),
      onContextFull: () => fail('the context is full'),
    });
    const problem = model.accept(chatRequest);
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
      stopWaiting = clock.after(maxWaitMs, () => fail('Worker busy'));
    },
    onRejected: () => fail('Worker busy'),
  };

  function receive(text: string | undefined): void {
    // A connection serves one request; later messages are ignored.
    if (isOver || turn !== undefined) return;
    const chatRequest = text === undefined ? undefined : codec.decodeRequest(text);
    if (
      chatRequest === undefined ||
      (chatRequest.kind === 'problem' && chatRequest.code === 'bad_json')
    ) {
      close();
    } else if (chatRequest.kind === 'problem') {
      fail(chatRequest.message);
    } else {
      turn = chatRequest;
      workerPool.acquire(request);
    }
  }

  outbox.setMaxMessageBytes(maxClientMessageBytes);
  return {
    request,
    receive,
    disconnected: () => {
      outbox.stop();
      if (!isOver) release();
    },
    shutDown: close,
  };
}
