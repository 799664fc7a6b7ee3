import type { Clock } from '../../shared/ports/clock.ts';
import {
  type ChatTurnEvent,
  maxClientMessageBytes,
  normalClosure,
  type ServerEvent,
} from '../../shared/protocol/realtime-api.ts';
import { openChatModel } from './chat-model.ts';
import { readChatPrompt } from './chat-prompt.ts';
import {
  type ClientSocket,
  type ConnectionHandler,
  openConnectionContext,
  type ConnectionContext,
} from './connection-context.ts';
import { type GatewayConnection, openGatewayConnection } from './gateway-connection.ts';
import { applyStepFaults } from './gateway-faults.ts';
import { openContextWindow } from './context-window.ts';
import type { GatewayModel } from './gateway-model.ts';
import {
  type GatewayDeps,
  type GatewayOptions,
  planFaults,
  acceptsMode,
  connectionMode,
  isDeployedLegacy,
  makeGatewayId,
} from './gateway-options.ts';
import { SentenceRecogniser } from './sentence-recogniser.ts';
import { openWorkerPool, type WorkerPool, type WorkerRequest } from './worker-pool.ts';
import type { GatewayStatus } from './worker-slots.ts';

/** A MiniCPM-o gateway without a network: connected in process or through a WebSocket server. */
export interface Gateway {
  /** Accepts or refuses a connection. The address may have a missing or unknown `mode`. */
  readonly admit: (mode: string | undefined) => Admission;
  /** Connects an admitted client, with the session number from its admission. */
  readonly connect: (
    mode: string | undefined,
    socket: ClientSocket,
    session: number,
  ) => ConnectionHandler;
  /** Serves the older path for chat; undefined if this gateway has none. */
  readonly connectOlderChat:
    | ((socket: ClientSocket, session: number) => ConnectionHandler)
    | undefined;
  readonly status: () => GatewayStatus;
  /** Metrics in Prometheus' text format; undefined without model servers. */
  readonly metrics: () => string | undefined;
  /**
   * Refuses waiting and new clients. Resolves when the running sessions have ended, or after the limit. Returns
   * undefined if no session runs.
   */
  readonly drain: (limitMs: number) => Promise<void> | undefined;
  /** Ends all sessions. Resolves when the model servers have closed theirs, after two seconds at most. */
  readonly end: () => Promise<void>;
}

export type Admission =
  /**
   * `session` is the number of the attempt, from 1. Attempts that are refused count, too, because faults refer to this
   * number.
   */
  | { readonly accepted: true; readonly session: number }
  | { readonly accepted: false; readonly status: number; readonly body: string };

/** Opens a gateway in pure code. The same clock, random source and clients give the same result. */
export function openGateway(options: GatewayOptions, gatewayDeps: GatewayDeps): Gateway {
  const deps = { ...gatewayDeps, recogniser: new SentenceRecogniser(gatewayDeps.speech) };
  const workerPool = openWorkerPool(
    { ...options, backends: gatewayDeps.backends?.servers },
    deps.clock,
  );
  const connections = new Set<GatewayConnection>();
  let attempts = 0;
  let isDraining = false;
  let onEmpty: (() => void) | undefined;

  function forget(connection: GatewayConnection): void {
    connections.delete(connection);
    if (connections.size === 0) onEmpty?.();
  }

  return {
    admit: (mode) => {
      attempts += 1;
      const refused = planFaults(options.faults, attempts).find('refuse');
      if (refused !== undefined)
        return { accepted: false, status: refused.status, body: refused.body };
      return acceptsMode(mode, options)
        ? { accepted: true, session: attempts }
        : { accepted: false, status: 403, body: 'Forbidden' };
    },
    connect: (mode, socket, session) => {
      const known = connectionMode(mode, options);
      const connectionContext = openConnectionContext({ options, deps }, session, known, socket);
      const connection = openGatewayConnection(connectionContext, {
        retry: (how, mayWait) => workerPool.retry(connection.request, how, mayWait && !isDraining),
        onReleased: (how) => {
          forget(connection);
          workerPool.release(connection.request, how);
        },
      });
      connections.add(connection);
      if (isDraining) connection.shutDown();
      else workerPool.acquire(connection.request);
      return { receive: connection.receive, disconnected: connection.disconnected };
    },
    // The gateway does not offer this path with model servers: they need a session, and this path has none.
    connectOlderChat:
      isDeployedLegacy(options) && deps.backends === undefined
        ? (socket, session) => {
            const context = openConnectionContext({ options, deps }, session, 'chat', socket);
            const connection = openOlderChatConnection(context, workerPool, () => {
              forget(connection);
            });
            connections.add(connection);
            return { receive: connection.receive, disconnected: connection.disconnected };
          }
        : undefined,
    status: workerPool.status,
    metrics: () => deps.backends?.metrics?.format(workerPool.status()),
    drain: (limitMs) => {
      isDraining = true;
      const waiting = workerPool.emptyQueue();
      for (const connection of connections)
        if (waiting.has(connection.request)) connection.shutDown();
      if (connections.size === 0) return undefined;
      return new Promise<void>((resolve) => {
        const stop = deps.clock.after(limitMs, resolve);
        onEmpty = () => {
          stop();
          resolve();
        };
      });
    },
    end: async () => {
      // The worker pool ends first, so that a closing connection does not admit a waiting one.
      workerPool.end();
      for (const connection of connections) connection.shutDown();
      if (connections.size === 0) return;
      await new Promise<void>((resolve) => {
        const before = onEmpty;
        onEmpty = () => {
          before?.();
          resolve();
        };
      });
    },
  };
}

/** Stores the frames of one connection, a JSON line each. */
export interface SessionLog {
  readonly write: (line: string) => void;
  readonly end: () => void;
}

/** Wraps a gateway so that it logs every frame of every connection, as deployed gateways do. */
export function logGatewayFrames(
  gateway: Gateway,
  clock: Clock,
  openLog: (session: number) => SessionLog,
): Gateway {
  const { connect, connectOlderChat } = gateway;
  type Join = (socket: ClientSocket) => ConnectionHandler;

  function record(session: number, mode: string | undefined, socket: ClientSocket, join: Join) {
    const began = clock.now();
    const log = openLog(session);
    const note = (what: object): void => {
      log.write(JSON.stringify({ at: Math.round(clock.now() - began), ...what }));
    };
    note({ event: 'connected', mode });
    const handler = join(loggedSocket(socket, note));
    return loggedHandler(handler, note, log);
  }

  return {
    ...gateway,
    connect: (mode, socket, session) =>
      record(session, mode, socket, (recorded) => connect(mode, recorded, session)),
    connectOlderChat:
      connectOlderChat &&
      ((socket, session) =>
        record(session, 'chat', socket, (recorded) => connectOlderChat(recorded, session))),
  };
}

function loggedHandler(
  handler: ConnectionHandler,
  note: (what: object) => void,
  log: SessionLog,
): ConnectionHandler {
  return {
    receive: (text) => {
      note(text === undefined ? { from: 'client', binary: true } : { from: 'client', text });
      handler.receive(text);
    },
    disconnected: () => {
      note({ event: 'disconnected' });
      log.end();
      handler.disconnected();
    },
  };
}

function loggedSocket(socket: ClientSocket, note: (what: object) => void): ClientSocket {
  return {
    ...socket,
    send: (text) => {
      note({ from: 'gateway', text });
      socket.send(text);
    },
    sendBinary: (bytes) => {
      note({ from: 'gateway', binary: true });
      socket.sendBinary(bytes);
    },
    close: (code, reason) => {
      note({ event: 'closing', code, reason });
      socket.close(code, reason);
    },
    terminate: () => {
      note({ event: 'cut' });
      socket.terminate();
    },
  };
}

/** If no worker is free after this time, the client gets "Worker busy". */
const maxWaitMs = 5000;

/**
 * A client connection at the path of older gateways, for one chat request. It reports no queue, has no session, and closes
 * after its answer.
 */
function openOlderChatConnection(
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
