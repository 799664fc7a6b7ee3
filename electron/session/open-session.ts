import { tellSafely } from '../../shared/listeners.ts';
import type { ClientCodec } from '../../shared/protocol/client-codec.ts';
import { inputRate, minAppendSamples } from '../../shared/protocol/protocol-limits.ts';
import { Framer } from '../../shared/sound/framer.ts';
import { beginSession } from './transition-connecting.ts';
import type { Effect, Transition } from './effect.ts';
import type { SessionInput } from './session-input.ts';
import { SessionConnection } from './session-connection.ts';
import type { Session, SessionDeps, SessionOptions } from './session.ts';
import type { SessionPhase } from './session-event.ts';
import type { PendingQuestion, SessionContext, SessionState } from './session-state.ts';
import { SessionTimers } from './session-timers.ts';
import { transition } from './transition.ts';

/** Opens a session: connects at once, and emits everything that comes of it. */
export function openSession(options: SessionOptions, deps: SessionDeps): Session {
  return new SessionShell(options, deps);
}

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

/** Runs what the table says, in order, one input after the other. */
class SessionShell implements Session {
  readonly #deps: SessionDeps;
  readonly #mode: string;
  readonly #codec: ClientCodec;
  readonly #connection: SessionConnection;
  readonly #timers: SessionTimers;
  readonly #framer: Framer;
  readonly #inputs: SessionInput[] = [];
  #state: SessionState;
  #busy = false;

  constructor(options: SessionOptions, deps: SessionDeps) {
    this.#deps = deps;
    this.#mode = options.mode;
    this.#codec = deps.codec;
    this.#timers = new SessionTimers(deps.clock);
    this.#framer = new Framer(chunkSamples(options.chunkMs));
    this.#connection = new SessionConnection(deps.sockets, {
      opened: () => {
        this.#dispatch({ kind: 'opened' });
      },
      received: (text) => {
        this.#dispatch({ kind: 'server', event: this.#decode(text) });
      },
      ended: (end) => {
        this.#dispatch({ kind: 'ended', end });
      },
    });
    const first = beginSession(initialContext(options, deps));
    this.#state = first.state;
    this.#drain(first);
  }

  get phase(): SessionPhase {
    return this.#state.phase;
  }

  pushAudio(block: Float32Array): void {
    if (!this.#takesAudio()) return;
    for (const audio of this.#framer.push(block)) {
      this.#dispatch({ kind: 'chunk', audio, urgent: false });
    }
  }

  untilChunk(): number {
    return this.#takesAudio() ? this.#framer.missing : 0;
  }

  pushFrame(frame: Uint8Array | undefined): void {
    this.#dispatch({ kind: 'frame', frame });
  }

  setMaxSlices(slices: number): void {
    this.#dispatch({ kind: 'maxSlices', slices });
  }

  setInstructions(text: string | undefined): void {
    this.#dispatch({ kind: 'instructions', text });
  }

  ask(question: PendingQuestion): void {
    this.#dispatch({ kind: 'question', question });
  }

  interrupt(): void {
    this.#dispatch({ kind: 'interrupt' });
  }

  pause(): void {
    this.#dispatch({ kind: 'pause' });
  }

  resume(): void {
    this.#dispatch({ kind: 'resume' });
  }

  end(): void {
    this.#dispatch({ kind: 'end' });
  }

  #takesAudio(): boolean {
    const state = this.#state;
    return state.phase === 'live' && state.modeState.kind === 'duplex' && !state.context.paused;
  }

  /** What an effect causes waits until the effects before it are done. */
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
        this.#connection.connect(this.#mode);
        return;
      case 'send':
        this.#connection.send(this.#codec.encodeClientEvent(effect.ask, effect.dialect));
        return;
      case 'disconnect':
        this.#connection.disconnect();
        return;
      case 'terminate':
        this.#connection.terminate();
        return;
      case 'timer':
        this.#startTimer(effect);
        return;
      case 'stopTimer':
        this.#timers.stop(effect.name);
        return;
      case 'stopTimers':
        this.#timers.stopAll();
        return;
      case 'emit':
        tellSafely(this.#deps.emit, effect.event);
        return;
      case 'rememberDialect':
        this.#deps.rememberDialect(effect.dialect, effect.voiceForm);
        return;
      case 'flushChunk':
        this.#dispatch({
          kind: 'chunk',
          audio: this.#framer.flush(minAppendSamples),
          urgent: true,
        });
        return;
      case 'discardChunk':
        this.#framer.reset();
    }
  }

  #startTimer({ name, ms, spreadMs }: Extract<Effect, { do: 'timer' }>): void {
    const delay = spreadMs === undefined ? ms : ms + this.#deps.random() * spreadMs;
    this.#timers.start(name, delay, () => {
      this.#dispatch({ kind: 'timer', name });
    });
  }

  #decode(text: string | undefined): Extract<SessionInput, { kind: 'server' }>['event'] {
    if (text !== undefined) return this.#codec.decodeServerEvent(text);
    return { kind: 'malformed', problem: 'The server sent a binary frame; the protocol has none.' };
  }
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
    handovers: 0,
    // Ids of one session must differ from another's on the same server; 30 bits of dice are enough.
    idPrefix: `${Math.floor(random() * 2 ** 30).toString(36)}-`,
    paused: false,
    yielding: options.yielding ?? 'auto',
    questions: [],
    maxSlices: settings.maxSlices,
  };
}

/** Longer chunks are no conversation; the bound also keeps a wrong number from taking all memory. */
const maxChunkSamples = 10 * inputRate;

/** The samples of an append of so many milliseconds, kept to what an append may be. */
function chunkSamples(chunkMs: number): number {
  const length = Math.round((chunkMs * inputRate) / 1000);
  if (Number.isNaN(length)) return inputRate;
  return Math.min(maxChunkSamples, Math.max(minAppendSamples, length));
}
