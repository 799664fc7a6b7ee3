import { appError, type AppError, type Outcome } from '../../shared/errors/app-error.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Socket, SocketEnd, SocketListener, Sockets } from '../../shared/ports/sockets.ts';
import type { ChatQuestion } from '../../shared/protocol/realtime-api.ts';
import type { ClientCodec } from '../../shared/protocol/client-codec.ts';
import type { TapeBeginning, TapeEvent } from '../../shared/recordings/tape-event.ts';
import type { ServerFactsStore } from '../settings/servers/server-facts.ts';
import type {
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
  RecordTalk,
} from './conversation-options.ts';
import { Conversation, type OpenConversation } from './conversation.ts';
import type { SessionEvent } from './session/session-event.ts';
import { OlderChatSession, SessionForChat } from './session/session-for-chat.ts';
import {
  openSession,
  type Session,
  type SessionDeps,
  type SessionOptions,
  type WrittenSession,
} from './session/session.ts';

interface Deps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly codec: ClientCodec;
  readonly serverFacts: Pick<ServerFactsStore, 'recall' | 'remember'>;
  /** Encodes a question for an older gateway, which has another path for written conversations. */
  readonly encodeRequest: (question: ChatQuestion) => string;
  /** Calendar clock in milliseconds; a virtual clock has none. */
  readonly wallNow: (() => number) | undefined;
  /** Versions of Parley and its runtime, by name; a tape begins with them. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface OpenSessionDeps {
  readonly sockets: Sockets;
  /** The machine's clock if omitted; a replay passes another one. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly emit: (event: SessionEvent) => void;
  /** The server's address, under which its dialect is remembered. */
  readonly server?: string | undefined;
}

/** Opens sessions and conversations, with the dialect that was remembered of their server. */
export class Sessions {
  readonly #deps: Deps;
  readonly #open = new OpenSockets();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly openSession = (requested: SessionOptions, deps: OpenSessionDeps): Session =>
    openSession(...this.#withMemory(requested, deps));

  /** Opens a session for a written conversation, by the method that `SessionForChat` chooses. */
  readonly openWrittenSession = (
    requested: Omit<SessionOptions, 'mode'>,
    deps: OpenSessionDeps,
  ): WrittenSession => {
    const [options, all] = this.#withMemory({ ...requested, mode: 'chat' }, deps);
    const { encodeRequest } = this.#deps;
    return new SessionForChat(options, {
      emit: deps.emit,
      open: (method, emit) =>
        method === 'olderPath'
          ? new OlderChatSession({ ...all, emit, encodeRequest })
          : openSession(
              method === 'chatMode' ? options : { ...options, rememberedDialect: 'legacy' },
              { ...all, emit },
            ),
    });
  };

  /** Opens a spoken conversation, which opens its sessions itself. */
  readonly openConversation: OpenConversation = (options, { record, ...runtime }) => {
    const { clock, random, log, wallNow, versions } = this.#deps;
    const deps = { ...runtime, clock, random, log, wallNow };
    return new Conversation(
      options,
      record === undefined ? deps : tapedDeps(options, deps, record, versions),
    );
  };

  readonly cut = this.#open.cut;

  #withMemory(
    requested: SessionOptions,
    { server, sockets, emit, ...other }: OpenSessionDeps,
  ): readonly [SessionOptions, SessionDeps] {
    const { serverFacts, codec, ...own } = this.#deps;
    const { clock = own.clock, random = own.random } = other;
    const known = server === undefined ? {} : serverFacts.recall(server);
    const options: SessionOptions = {
      ...requested,
      rememberedDialect: known.dialect,
      voiceForm: requested.voiceForm ?? known.voiceForm,
    };
    const deps: SessionDeps = {
      // An abandoned replay never reports the end of its connection, so it is not tracked.
      sockets: clock === own.clock ? this.#open.watch(sockets) : sockets,
      clock,
      random,
      codec,
      emit,
      rememberDialect: (dialect, voiceForm) => {
        if (server === undefined) return;
        serverFacts.remember(server, {
          dialect,
          ...(voiceForm === undefined ? {} : { voiceForm }),
        });
      },
    };
    return [options, deps];
  }
}

/** Wraps a conversation's dependencies so that a tape gets all that the wire does not show. */
export function tapedDeps(
  options: ConversationOptions,
  deps: ConversationDeps,
  { write, onAnswer: answered, onSound: sounded, devices }: RecordTalk,
  versions: TapeBeginning['versions'],
): ConversationDeps {
  const { talking, yielding = 'auto', reconnects = true, handsOver, sessionSeconds } = options;
  const { maxSlices: slices } = options.settings;
  write({
    kind: 'began',
    versions,
    talking,
    yielding,
    reconnects,
    handsOver,
    slices,
    sessionSeconds,
    ...devices,
  });
  return {
    ...deps,
    tape: { write },
    random: () => {
      const value = deps.random();
      write({ kind: 'chance', value });
      return value;
    },
    emit: (event) => {
      writeEmitted(write, event);
      if (event.event === 'text') answered?.(event.turn, 0);
      else if (event.event === 'audio') answered?.(event.turn, event.audio.length);
      deps.emit(event);
    },
    onTransmitted: (samples, isUsersVoice, voice) => {
      sounded?.('you', samples);
      deps.onTransmitted?.(samples, isUsersVoice, voice);
    },
    onPlayed: (samples) => {
      sounded?.('parley', samples);
      deps.onPlayed?.(samples);
    },
  };
}

function writeEmitted(write: (event: TapeEvent) => void, event: ConversationEvent): void {
  if (event.event === 'controls') write({ kind: 'controls', controls: event.controls });
  else if (event.event === 'floor') write({ kind: 'floor', floor: event.floor });
  else if (event.event === 'devices') write({ kind: 'devices', devices: event.devices });
  else if (event.event === 'computerSound')
    write({ kind: 'computerSound', on: event.state.kind === 'on' });
  else if (event.event === 'closed' && event.error.code === 'lostInSleep')
    write({ kind: 'lostInSleep' });
}

const abnormalClosure: SocketEnd = { kind: 'closed', code: 1006, reason: '' };

const noop = (): void => undefined;
const noSocket: Socket = { send: noop, close: noop, terminate: noop };

/** Reports the end in a microtask, after `connect` has returned the socket. */
async function refuse(listener: SocketListener): Promise<void> {
  await Promise.resolve();
  listener.ended(abnormalClosure);
}

/** The open connections of all sessions, including dropped ones whose server does not close. */
export class OpenSockets {
  readonly #open = new Set<() => void>();
  #over = false;

  watch(sockets: Sockets): Sockets {
    return {
      connect: (mode, listener) => {
        // Parley has ended, so no new connection is made.
        if (this.#over) {
          void refuse(listener);
          return noSocket;
        }
        let over = false;
        // The socket may end before `connect` returns.
        let cut = noop;
        const ended = (end: SocketEnd): void => {
          if (over) return;
          over = true;
          this.#open.delete(cut);
          listener.ended(end);
        };
        const socket = sockets.connect(mode, { ...listener, ended });
        cut = () => {
          socket.terminate();
          // A terminated socket may report its end late or never.
          ended(abnormalClosure);
        };
        if (!over) this.#open.add(cut);
        return socket;
      },
    };
  }

  readonly cut = (): void => {
    this.#over = true;
    for (const cut of this.#open) cut();
  };
}

/**
 * Sockets that find their server when they connect, so that the newest setting counts and the
 * access token is read only then.
 */
export function lazySockets(find: () => Promise<Outcome<Sockets>>): Sockets {
  return { connect: (mode, listener) => new LazySocket(find, mode, listener) };
}

class LazySocket implements Socket {
  readonly #listener: SocketListener;
  #socket: Socket | undefined;
  #waiting: ((socket: Socket) => void)[] = [];
  #ended = false;

  constructor(find: () => Promise<Outcome<Sockets>>, mode: string, listener: SocketListener) {
    this.#listener = listener;
    void this.#connect(find, mode);
  }

  send(text: string): void {
    this.#whenConnected((socket) => socket.send(text));
  }

  close(code: number, reason: string): void {
    this.#whenConnected((socket) => socket.close(code, reason));
  }

  terminate(): void {
    if (this.#socket !== undefined) this.#socket.terminate();
    // There is no connection to terminate.
    else this.#giveUp(appError('connectionGivenUp'));
  }

  #whenConnected(act: (socket: Socket) => void): void {
    if (this.#socket === undefined) this.#waiting.push(act);
    else act(this.#socket);
  }

  async #connect(find: () => Promise<Outcome<Sockets>>, mode: string): Promise<void> {
    const sockets = await find();
    if (this.#ended) return;
    if (!sockets.ok) return this.#giveUp(sockets.error);
    const socket = sockets.value.connect(mode, this.#listener);
    this.#socket = socket;
    for (const act of this.#waiting.splice(0)) act(socket);
  }

  #giveUp(error: AppError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#listener.ended({ kind: 'unreachable', error, permanent: true });
  }
}
