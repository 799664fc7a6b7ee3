import { Framer } from '../../../shared/audio/framer.ts';
import { callListener } from '../../../shared/listeners.ts';
import { type Clock, type Random, Timer } from '../../../shared/ports/clock.ts';
import type { Socket, SocketListener, Sockets } from '../../../shared/ports/sockets.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import {
  type ChatQuestion,
  type SessionSettings,
  type VoiceForm,
  type DialectName,
  inputRate,
  minAppendSamples,
  type Mode,
  type ServerEvent,
} from '../../../shared/protocol/realtime-api.ts';
import type { YieldPolicy } from '../../../shared/talk/talk-view.ts';
import type {
  Effect,
  SessionCommand,
  SessionContext,
  SessionInput,
  SessionState,
  TimerName,
  Transition,
} from './session-state.ts';
import type { SessionEvent, SessionPhase } from './session-event.ts';
import { beginSession } from './transition-connecting.ts';
import { transition } from './transition.ts';

export interface SessionOptions {
  readonly mode: Mode;
  readonly settings: SessionSettings;
  /** `auto` negotiates, starting with the dialect remembered for the endpoint. */
  readonly dialect: 'auto' | DialectName;
  readonly rememberedDialect?: DialectName | undefined;
  /** How the legacy server reads a voice, if known; otherwise the session infers it. */
  readonly voiceForm?: VoiceForm | undefined;
  /** Length of the microphone sound in one append. */
  readonly chunkMs: number;
  /** `auto` if omitted. */
  readonly yielding?: YieldPolicy | undefined;
  /** An earlier session of this server took tools in talks. */
  readonly takesTools?: boolean | undefined;
}

export interface SessionDeps {
  readonly sockets: Sockets;
  readonly clock: Clock;
  readonly random: Random;
  readonly codec: ClientCodec;
  readonly emit: (event: SessionEvent) => void;
  /** Called once the dialect is certain, with the voice form if it was observed. */
  readonly rememberDialect: (dialect: DialectName, voiceForm: VoiceForm | undefined) => void;
}

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

/**
 * A session with a server, from the first connection attempt to its end. Runs the transition
 * table's effects in order.
 */
class SessionShell {
  readonly #deps: SessionDeps;
  readonly #mode: string;
  readonly #connection: SessionConnection;
  /** By name; starting a timer again resets it. */
  readonly #timers = new Map<TimerName, Timer>();
  readonly #framer: Framer;
  readonly #inputs: SessionInput[] = [];
  #state: SessionState;
  #busy = false;

  constructor(options: SessionOptions, deps: SessionDeps) {
    this.#deps = deps;
    this.#mode = options.mode;
    this.#framer = new Framer(chunkSamples(options.chunkMs));
    this.#connection = new SessionConnection(deps.sockets, {
      opened: () => this.#dispatch({ kind: 'opened' }),
      received: (text) => this.#dispatch({ kind: 'server', event: decodeFrame(deps.codec, text) }),
      ended: (end) => this.#dispatch({ kind: 'ended', end }),
    });
    const first = beginSession(initialContext(options, deps));
    this.#state = first.state;
    this.#drain(first);
  }

  get phase(): SessionPhase {
    return this.#state.phase;
  }

  /**
   * Takes microphone blocks of any length, 16 kHz mono. Sound is dropped before the session is live, while it is paused, and if
   * too many chunks wait because appends are unanswered.
   */
  pushAudio(block: Float32Array): void {
    if (!this.#acceptsAudio()) return;
    for (const audio of this.#framer.push(block)) {
      this.#command({ kind: 'chunk', audio, urgent: false });
    }
  }

  /** Samples that complete the current chunk; 0 if it is empty or sound is not accepted. */
  missingSamples(): number {
    return this.#acceptsAudio() ? this.#framer.missing : 0;
  }

  /** Sets a JPEG for the next append; the legacy dialect repeats it with each append. `undefined` withdraws it. */
  pushFrame(frame: Uint8Array | undefined): void {
    this.#command({ kind: 'frame', frame });
  }

  setMaxSlices(slices: number): void {
    this.#command({ kind: 'maxSlices', slices });
  }

  /** Replaces the instructions; has no effect once the session is configured. */
  setInstructions(text: string | undefined): void {
    this.#command({ kind: 'instructions', text });
  }

  /** Asks in a chat session. Questions wait until the session is live and the earlier ones are answered. */
  ask(question: ChatQuestion): void {
    this.#command({ kind: 'question', question });
  }

  /** Sends the result of a call that the model made. It is ignored if no such call waits. */
  answerCall(call: string, text: string): void {
    this.#command({ kind: 'toolResult', call, text });
  }

  /** Makes the model stop: sends force-listen at once and repeats it until the model yields. */
  interrupt(): void {
    this.#command({ kind: 'interrupt' });
  }

  /** Stops sending until `resume`; sound captured meanwhile is dropped. */
  pause(): void {
    this.#command({ kind: 'pause' });
  }

  resume(): void {
    this.#command({ kind: 'resume' });
  }

  /** Ends politely; `closed` follows within a bounded time, even without a reply. */
  end(): void {
    this.#dispatch({ kind: 'end' });
  }

  #acceptsAudio(): boolean {
    const state = this.#state;
    return state.phase === 'live' && state.modeState.kind === 'duplex' && !state.context.paused;
  }

  #command(command: SessionCommand): void {
    this.#dispatch({ kind: 'command', command });
  }

  /** Queues an input, so that the effects of earlier inputs finish first. */
  #dispatch(event: WithoutTime<SessionInput>): void {
    this.#inputs.push({ ...event, at: this.#deps.clock.now() });
    if (!this.#busy) this.#drain({ state: this.#state, effects: [] });
  }

  #drain(first: Transition): void {
    this.#busy = true;
    try {
      for (const effect of first.effects) this.#run(effect);
      for (let event = this.#inputs.shift(); event !== undefined; event = this.#inputs.shift()) {
        const { state, effects } = transition(this.#state, event);
        this.#state = state;
        for (const effect of effects) this.#run(effect);
      }
    } finally {
      this.#busy = false;
    }
  }

  #run(effect: Effect): void {
    switch (effect.do) {
      case 'connect':
        return this.#connection.connect(this.#mode);
      case 'send':
        return this.#connection.send(
          this.#deps.codec.encodeClientEvent(effect.message, effect.dialect),
        );
      case 'disconnect':
        return this.#connection.disconnect();
      case 'terminate':
        return this.#connection.terminate();
      case 'timer':
        return this.#startTimer(effect);
      case 'stopTimer':
        return this.#timers.get(effect.name)?.stop();
      case 'stopTimers':
        for (const timer of this.#timers.values()) timer.stop();
        return;
      case 'emit':
        return callListener(this.#deps.emit, effect.event);
      case 'rememberDialect':
        return this.#deps.rememberDialect(effect.dialect, effect.voiceForm);
      case 'flushChunk':
        return this.#command({
          kind: 'chunk',
          audio: this.#framer.flush(minAppendSamples),
          urgent: true,
        });
      case 'discardChunk':
        this.#framer.reset();
    }
  }

  #startTimer({ name, ms, spreadMs }: Extract<Effect, { do: 'timer' }>): void {
    const delay = spreadMs === undefined ? ms : ms + this.#deps.random() * spreadMs;
    const timer = this.#timers.get(name) ?? new Timer(this.#deps.clock);
    this.#timers.set(name, timer);
    timer.set(delay, () => this.#dispatch({ kind: 'timer', name }));
  }
}

export type Session = Pick<SessionShell, keyof SessionShell>;

/** A session for questions and answers only. */
export type WrittenSession = Pick<Session, 'phase' | 'ask' | 'end'>;

/** Opens a session, which connects at once. */
export function openSession(options: SessionOptions, deps: SessionDeps): Session {
  return new SessionShell(options, deps);
}

export function decodeFrame(
  codec: Pick<ClientCodec, 'decodeServerEvent'>,
  text: string | undefined,
): ServerEvent {
  if (text !== undefined) return codec.decodeServerEvent(text);
  return { kind: 'malformed', problem: 'The server sent a binary frame; the protocol has none.' };
}

function initialContext(options: SessionOptions, { random }: SessionDeps): SessionContext {
  const { mode, settings, dialect, rememberedDialect, voiceForm } = options;
  const forced = dialect !== 'auto';
  const guess = mode === 'chat' ? 'unified' : (rememberedDialect ?? 'unified');
  return {
    mode,
    settings,
    forced,
    dialect: forced ? dialect : guess,
    remembered: rememberedDialect,
    configures: 0,
    voiceForm,
    refusals: [],
    failedHandOvers: 0,
    // Ids must differ between sessions on one server; 30 random bits suffice.
    idPrefix: `${Math.floor(random() * 2 ** 30).toString(36)}-`,
    paused: false,
    yielding: options.yielding ?? 'auto',
    questions: [],
    maxSlices: settings.maxSlices,
    takesTools: options.takesTools === true,
    calls: new Map(),
  };
}

/** Longer chunks are useless; the bound also keeps a wrong setting from taking all memory. */
const maxChunkSamples = 10 * inputRate;

/** Samples per append, within the protocol's limits. */
function chunkSamples(chunkMs: number): number {
  const length = Math.round((chunkMs * inputRate) / 1000);
  if (Number.isNaN(length)) return inputRate;
  return Math.min(maxChunkSamples, Math.max(minAppendSamples, length));
}

/** The current connection of a session; events of earlier ones are ignored. */
export class SessionConnection {
  readonly #sockets: Sockets;
  readonly #listener: SocketListener;
  #socket: Socket | undefined;
  /** Identifies the current connection; a socket may report before `connect` returns. */
  #generation = 0;

  constructor(sockets: Sockets, listener: SocketListener) {
    this.#sockets = sockets;
    this.#listener = listener;
  }

  connect(mode: string): void {
    this.terminate();
    this.#generation += 1;
    const generation = this.#generation;
    const isCurrent = () => generation === this.#generation;
    const socket = this.#sockets.connect(mode, {
      opened: () => {
        if (isCurrent()) this.#listener.opened();
      },
      received: (text) => {
        if (isCurrent()) this.#listener.received(text);
      },
      ended: (end) => {
        if (!isCurrent()) return;
        this.#forget();
        this.#listener.ended(end);
      },
    });
    if (isCurrent()) this.#socket = socket;
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  disconnect(): void {
    this.#socket?.close(1000, '');
  }

  terminate(): void {
    const socket = this.#socket;
    this.#forget();
    socket?.terminate();
  }

  #forget(): void {
    this.#generation += 1;
    this.#socket = undefined;
  }
}
