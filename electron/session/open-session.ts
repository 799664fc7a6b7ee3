import { shortestAppend } from '../../shared/protocol/limits.ts';
import { Framer } from '../../shared/sound/framer.ts';
import { chunkLength } from './chunk-length.ts';
import { begin } from './connecting.ts';
import type { Effect, Transition } from './effect.ts';
import type { Happening } from './happening.ts';
import { Line } from './line.ts';
import type { Session, SessionNeeds, SessionOptions } from './session.ts';
import type { SessionPhase } from './session-event.ts';
import type { Course, SessionState } from './state.ts';
import { Timers } from './timers.ts';
import { transition } from './transition.ts';

/** Begins a conversation: connects at once, and tells everything that comes of it. */
export function openSession(options: SessionOptions, needs: SessionNeeds): Session {
  const shell = new Shell(options, needs);
  return {
    get phase() {
      return shell.phase;
    },
    hear: (block) => {
      shell.hear(block);
    },
    see: (frame) => {
      shell.happen({ kind: 'see', frame });
    },
    setMaxSlices: (slices) => {
      shell.happen({ kind: 'slices', slices });
    },
    ask: (question) => {
      shell.happen({ kind: 'ask', question });
    },
    interrupt: () => {
      shell.happen({ kind: 'interrupt' });
    },
    pause: () => {
      shell.happen({ kind: 'pause' });
    },
    resume: () => {
      shell.happen({ kind: 'resume' });
    },
    end: () => {
      shell.happen({ kind: 'end' });
    },
  };
}

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

/** Runs what the table says, in order, one happening after the other. */
class Shell {
  readonly #needs: SessionNeeds;
  readonly #mode: string;
  readonly #line: Line;
  readonly #timers: Timers;
  readonly #framer: Framer;
  readonly #happenings: Happening[] = [];
  #state: SessionState;
  #busy = false;

  constructor(options: SessionOptions, needs: SessionNeeds) {
    this.#needs = needs;
    this.#mode = options.mode;
    this.#timers = new Timers(needs.clock);
    this.#framer = new Framer(chunkLength(options.chunkMs));
    this.#line = new Line(needs.sockets, {
      opened: () => {
        this.happen({ kind: 'opened' });
      },
      received: (text) => {
        this.happen({ kind: 'server', event: this.#decode(text) });
      },
      ended: (end) => {
        this.happen({ kind: 'ended', end });
      },
    });
    const first = begin(firstCourse(options, needs));
    this.#state = first.state;
    this.#work(first);
  }

  get phase(): SessionPhase {
    return this.#state.phase;
  }

  hear(block: Float32Array): void {
    const state = this.#state;
    if (state.phase !== 'live' || state.talk.kind !== 'duplex' || state.course.paused) return;
    this.#framer.push(block, (audio) => {
      this.happen({ kind: 'chunk', audio, urgent: false });
    });
  }

  /** What an effect causes waits until the effects before it are done. */
  happen(event: WithoutTime<Happening>): void {
    this.#happenings.push({ ...event, at: this.#needs.clock.now() });
    if (!this.#busy) this.#work({ state: this.#state, effects: [] });
  }

  #work(first: Transition): void {
    this.#busy = true;
    try {
      for (const effect of first.effects) this.#run(effect);
      for (
        let event = this.#happenings.shift();
        event !== undefined;
        event = this.#happenings.shift()
      ) {
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
        this.#line.connect(this.#mode);
        return;
      case 'send':
        this.#line.send(this.#needs.codec.encodeAsk(effect.ask, effect.dialect));
        return;
      case 'disconnect':
        this.#line.disconnect();
        return;
      case 'terminate':
        this.#line.terminate();
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
      case 'tell':
        this.#needs.tell(effect.event);
        return;
      case 'remember':
        this.#needs.rememberDialect(effect.dialect);
        return;
      case 'cutChunk':
        this.happen({ kind: 'chunk', audio: this.#framer.cut(shortestAppend), urgent: true });
        return;
      case 'forgetChunk':
        this.#framer.forget();
    }
  }

  #startTimer({ name, ms, spreadMs }: Extract<Effect, { do: 'timer' }>): void {
    const delay = spreadMs === undefined ? ms : ms + this.#needs.random() * spreadMs;
    this.#timers.start(name, delay, () => {
      this.happen({ kind: 'timer', name });
    });
  }

  #decode(text: string | undefined): Extract<Happening, { kind: 'server' }>['event'] {
    if (text !== undefined) return this.#needs.codec.decodeEvent(text);
    return { kind: 'malformed', problem: 'The server sent a binary frame; the protocol has none.' };
  }
}

function firstCourse(options: SessionOptions, { random }: SessionNeeds): Course {
  const { mode, settings, dialect, rememberedDialect } = options;
  const forced = dialect !== 'auto';
  const guess = mode === 'chat' ? 'unified' : (rememberedDialect ?? 'unified');
  return {
    mode,
    settings,
    forced,
    dialect: forced ? dialect : guess,
    configures: 0,
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
