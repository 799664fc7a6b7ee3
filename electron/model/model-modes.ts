import type { Outcome } from '../../shared/errors/app-error.ts';
import { Listeners } from '../../shared/listeners.ts';
import type { ModelServerState, ModelUser } from '../../shared/model/local-model-state.ts';
import { type Clock, delay, Timer } from '../../shared/ports/clock.ts';
import type { BackendCodec, Backend } from '../gateway/backend.ts';
import type { LocalModelServer } from './local-model.ts';
import { loadByModeSession } from './warm-up.ts';

interface Deps {
  readonly clock: Clock;
  readonly server: LocalModelServer & {
    /** How long loading the model takes. */
    readonly expectedLoadMs: number;
  };
  readonly backend: Backend;
  readonly codec: BackendCodec;
  readonly voice: () => Promise<Float32Array>;
}

interface Switching {
  readonly user: ModelUser;
  readonly startedAt: number;
  readonly done: Promise<void>;
}

const progressMs = 500;
const busyPauseMs = 100;
const maxSwitchMs = 180_000;

/** Switches the model between its modes for talks and for chats. Each switch loads the whole model again. */
export class ModelModes implements LocalModelServer {
  readonly #deps: Deps;
  readonly #listeners = new Listeners<ModelServerState>();
  readonly #progress: Timer;
  /** A process that has just started is in the mode for talks. */
  #mode: ModelUser = 'talk';
  #switching: Switching | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#progress = new Timer(deps.clock);
    deps.server.listen((state) => {
      if (state.kind !== 'ready') this.#mode = 'talk';
      this.#listeners.emit(this.state);
    });
  }

  get state(): ModelServerState {
    const { clock, server } = this.#deps;
    const { state, expectedLoadMs } = server;
    if (this.#switching === undefined || state.kind !== 'ready') return state;
    const { startedAt, user } = this.#switching;
    const elapsedMs = clock.now() - startedAt;
    return {
      kind: 'loading',
      switchesTo: user,
      progress: Math.min(0.95, elapsedMs / expectedLoadMs),
      secondsLeft:
        elapsedMs < expectedLoadMs ? Math.ceil((expectedLoadMs - elapsedMs) / 1000) : undefined,
    };
  }

  listen(listener: (state: ModelServerState) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** How long a session of a talk or chat waits; undefined if it would start at once. */
  waitFor(user: ModelUser): { readonly seconds: number | undefined } | undefined {
    const { state } = this;
    if (state.kind === 'loading') return { seconds: state.secondsLeft };
    if (state.kind !== 'ready') return { seconds: undefined };
    const { expectedLoadMs } = this.#deps.server;
    return this.#mode === user ? undefined : { seconds: Math.ceil(expectedLoadMs / 1000) };
  }

  /**
   * Loads the model in the mode of this user, after a switch that is already running. Call it with a user only during
   * that user's turn.
   */
  async ready(user?: ModelUser): Promise<Outcome<string>> {
    let hasTried = false;
    for (;;) {
      // The process may have ended during the switch.
      const ready = await this.#deps.server.ready();
      if (!ready.ok || user === undefined) return ready;
      const isDone = this.#mode === user || hasTried;
      if (this.#switching === undefined && isDone) return ready;
      const switching = this.#switching ?? this.#begin(user);
      hasTried ||= switching.user === user;
      await switching.done;
    }
  }

  unload(): Promise<void> {
    return this.#deps.server.unload();
  }

  #begin(user: ModelUser): Switching {
    const startedAt = this.#deps.clock.now();
    const switching = { user, startedAt, done: this.#switch(user, startedAt) };
    this.#switching = switching;
    this.#showProgress();
    return switching;
  }

  async #switch(user: ModelUser, startedAt: number): Promise<void> {
    const { clock, server, backend, codec, voice } = this.#deps;
    const mode = user === 'chat' ? 'turn_based' : 'full_duplex';
    const deps = { clock, codec, voice: await voice(), maxMs: maxSwitchMs };
    let end = await loadByModeSession(backend, mode, deps);
    // The previous session takes a moment to close.
    while (end === 'busy' && clock.now() - startedAt < maxSwitchMs) {
      await delay(clock, busyPauseMs);
      if (server.state.kind !== 'ready') break;
      end = await loadByModeSession(backend, mode, deps);
    }
    this.#progress.stop();
    this.#switching = undefined;
    // After a failure the mode stays as it was, and the client's own session reports the error.
    if (end === 'loaded') this.#mode = user;
    this.#listeners.emit(this.state);
  }

  #showProgress(): void {
    this.#listeners.emit(this.state);
    this.#progress.set(progressMs, () => this.#showProgress());
  }
}
