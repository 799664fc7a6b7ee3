import { type AppError, appError, failure, type Outcome } from '../../shared/errors/app-error.ts';
import { Listeners } from '../../shared/listeners.ts';
import type {
  ModelPace,
  ModelServerState,
  ModelUser,
} from '../../shared/model/local-model-state.ts';
import { type Clock, delay, settlesWithin, Timer } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { BackendCodec, Backend } from '../gateway/backend.ts';
import type { ModelFile } from './model-catalogue.ts';
import {
  isPermanent,
  firstLoadMs,
  type ModelProcess,
  type ModelProcessListener,
  ModelRun,
} from './model-run.ts';
import { judgePace, minPauseOf, pacedSteps, withoutPicture } from './model-pace.ts';
import { loadForChat, warmUp } from './warm-up.ts';

/** Measurements of the last load of the same program and model. */
export interface RememberedLoad {
  readonly loadMs: number;
  /** From an earlier load if this one measured fewer than ten steps; undefined if none measured ten. */
  readonly pace: ModelPace | undefined;
}

export interface ModelSupervisorPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Starts the program at a free port. Fails if it is not there or another Parley runs it. */
  readonly start: (listener: ModelProcessListener) => Promise<Outcome<ModelProcess>>;
  readonly openBackend: (address: string) => Backend;
  readonly codec: BackendCodec;
  /** The reference voice of the warm-up session, 16 kHz mono. */
  readonly voice: () => Promise<Float32Array>;
  /** The last load of this program and model, also from an earlier run of Parley. */
  readonly timings: {
    readonly recall: () => Promise<RememberedLoad | undefined>;
    readonly remember: (load: RememberedLoad) => void;
  };
  /** Frees memory after a load that failed with this error, before another try. Undefined if nothing can be freed. */
  readonly freeMemory?: ((error: AppError) => Promise<void> | undefined) | undefined;
}

export interface ModelSupervisorOptions {
  /** The model is loaded for talks or for chats. Only steps of talks are measured. */
  readonly user: ModelUser;
  /** How long the model stays loaded without a session; 0 means until Parley quits. */
  readonly idleMs: () => number;
  /** The model's files, whose names in the program's log show the progress. */
  readonly files: readonly ModelFile[];
}

/** An open session, during which the model stays loaded. */
interface OpenSession {
  readonly close: () => Promise<unknown>;
}

const healthPauseMs = 100;
const exitMs = 2000;
const progressMs = 500;
/** A process counts as hanging after this long without a line in the log or a step of the warm-up. */
const maxSilenceMs = 180_000;

const maxCrashes = 3;
const crashWindowMs = 120_000;
const maxBackOffSeconds = 30;

/** The three limits add up to less than the 8 s in which Parley must quit. */
const closeMs = 2000;
const terminateMs = 3000;
const killMs = 1500;

/**
 * Starts `llama-omni-server` on request, warms it with one session, restarts it after a crash and stops it when it is
 * idle. It reports `ready` only once a session can start without delay.
 */
export class ModelSupervisor {
  readonly #ports: ModelSupervisorPorts;
  readonly #options: ModelSupervisorOptions;
  readonly #listeners = new Listeners<ModelServerState>();
  #state: ModelServerState = { kind: 'stopped' };
  #run: ModelRun | undefined;
  #remembered: RememberedLoad | undefined;
  /** Resolves when the previous run's process has ended. */
  #stopping: Promise<void> = Promise.resolve();
  readonly #waiting: ((outcome: Outcome<string>) => void)[] = [];
  readonly #sessions = new Set<OpenSession>();
  readonly #idle: Timer;
  readonly #retry: Timer;
  readonly #progress: Timer;
  #crashTimes: readonly number[] = [];
  #attempt = 0;
  #hasEnded = false;

  constructor(ports: ModelSupervisorPorts, options: ModelSupervisorOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#idle = new Timer(ports.clock);
    this.#retry = new Timer(ports.clock);
    this.#progress = new Timer(ports.clock);
  }

  get state(): ModelServerState {
    return this.#state;
  }

  get expectedLoadMs(): number {
    return this.#remembered?.loadMs ?? firstLoadMs;
  }

  /** The pace measured in this load, or else in the last one, which an earlier run of Parley may have done. */
  get pace(): ModelPace | undefined {
    const measured = this.#state.kind === 'ready' ? this.#state.pace : undefined;
    return measured ?? this.#remembered?.pace;
  }

  /** Reads the last load's measurements, so that `pace` is known before the first load. */
  async recall(): Promise<void> {
    if (this.#run !== undefined) return;
    const remembered = await this.#ports.timings.recall();
    if (this.#run === undefined) this.#remembered = remembered;
  }

  /** The shortest pause between pictures that both the pace and the newest steps allow. */
  get minPauseMs(): number {
    const recent = judgePace(this.#run?.recentMs ?? []);
    return Math.max(minPauseOf(this.pace), minPauseOf(recent));
  }

  get hasSessions(): boolean {
    return this.#sessions.size > 0;
  }

  /**
   * Counts a step of a session. The first ten, with those of the warm-up, determine the pace. Steps beside a chat do not,
   * because they are slower and the pace is stored.
   */
  addStep(milliseconds: number, hasPicture: boolean, isAlone = true): void {
    const run = this.#run;
    if (run === undefined || this.#state.kind !== 'ready') return;
    const stepMs = withoutPicture(milliseconds, hasPicture);
    run.recentMs = [...run.recentMs, stepMs].slice(-pacedSteps);
    if (!isAlone || run.stepMs.length >= pacedSteps) return;
    run.stepMs.push(stepMs);
    const pace = judgePace(run.stepMs);
    if (pace === undefined) return;
    this.#remember({ loadMs: this.expectedLoadMs, pace });
    this.#setState({ kind: 'ready', pace });
  }

  /** Where the model can be reached; undefined unless it is ready. */
  get address(): string | undefined {
    return this.#state.kind === 'ready' ? this.#run?.address : undefined;
  }

  listen(listener: (state: ModelServerState) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Starts the model if needed. Resolves with the address when a session would start at once. */
  async ready(): Promise<Outcome<string>> {
    if (this.#hasEnded) return failure('modelStopped');
    const address = this.#run?.address;
    if (this.#state.kind === 'ready' && address !== undefined) {
      this.restartIdleTimer();
      return { ok: true, value: address };
    }
    const outcome = new Promise<Outcome<string>>((resolve) => this.#waiting.push(resolve));
    if (this.#state.kind === 'stopped' || this.#state.kind === 'failed') {
      this.#forgetCrashes();
      this.#load();
    }
    return outcome;
  }

  /** Keeps the model loaded while a session is open. `close` ends the session; call the returned function at its end. */
  trackSession(close: () => Promise<unknown>): () => void {
    const session: OpenSession = { close };
    this.#sessions.add(session);
    this.#idle.stop();
    return () => {
      if (this.#sessions.delete(session)) this.restartIdleTimer();
    };
  }

  /** Also called when the idle time has changed. */
  readonly restartIdleTimer = (): void => {
    this.#idle.stop();
    const milliseconds = this.#options.idleMs();
    if (this.#state.kind !== 'ready' || this.#sessions.size > 0 || milliseconds <= 0) return;
    this.#idle.set(milliseconds, () => void this.unload());
  };

  /** Stops the process and frees the card's memory. The next `ready` starts it again. */
  async unload(): Promise<void> {
    this.#endRun({ kind: 'stopped' });
    this.#settle(failure('modelStopped'));
    await this.#stopping;
  }

  /** Stops the process within 8 s; it cannot be started again. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.unload();
    this.#listeners.clear();
  }

  #load(): void {
    const { clock, log } = this.#ports;
    const run = new ModelRun(clock.now(), this.#options.files);
    this.#run = run;
    this.#showProgress(run);
    run.started = this.#start(run);
    void this.#warm(run).catch((error: unknown) => {
      log.write('error', `the model could not be loaded: ${String(error)}`);
      if (this.#run === run) this.#fail(run.log.explain(undefined, run.program));
    });
  }

  async #start(run: ModelRun): Promise<Outcome<ModelProcess>> {
    await this.#stopping;
    const remembered = await this.#ports.timings.recall();
    if (this.#run !== run) return failure('modelStopped');
    this.#remembered = remembered;
    this.#showProgress(run);
    const started = await this.#ports.start({
      output: (text) => this.#read(run, text),
      ended: (exit) => {
        run.markExited();
        if (this.#run === run) this.#crashed(run, run.log.explain(exit, run.program));
      },
    });
    if (started.ok) {
      // The files may have been verified until now, which takes minutes on a slow disk.
      run.startedAt = this.#ports.clock.now();
      run.lastSignAt = run.startedAt;
      run.address = started.value.address;
      run.program = started.value.program;
    }
    return started;
  }

  #read(run: ModelRun, text: string): void {
    run.read(text, this.#ports.clock.now());
    const full = run.log.temporaryFull;
    // Stopping the process deletes its temporary files. While the model loads, nothing needs to be done, because the warm-up fails.
    if (this.#run === run && run.readyAt !== undefined && full !== undefined)
      this.#crashed(run, full);
  }

  async #warm(run: ModelRun): Promise<void> {
    const { clock, openBackend, voice, codec } = this.#ports;
    const started = await run.started;
    if (this.#run !== run) return;
    if (!started.ok) return this.#fail(started.error);
    const { address, program } = started.value;
    const backend = openBackend(address);
    while (!(await backend.isHealthy())) {
      await delay(clock, healthPauseMs);
      if (this.#run !== run) return;
    }
    const onReceived = (): void => {
      run.lastSignAt = clock.now();
    };
    const load = this.#options.user === 'chat' ? loadForChat : warmUp;
    const warmed = await load(backend, {
      clock,
      codec,
      voice: await voice(),
      // Talks are refused while the model is too slow, so only the warm-up can find that it has become faster.
      stopsWhenQuick: this.#remembered?.pace?.verdict !== 'chatOnly',
      onReceived,
    });
    if (this.#run !== run) return;
    if (warmed.kind === 'warm') this.#becomeReady(run, address, warmed.stepMs);
    else if (warmed.kind === 'old')
      this.#crashed(run, appError('modelProgramOld', { path: program }));
    // The connection ends before the process does. Wait for the process's exit, which explains more.
    else if (!(await settlesWithin(clock, exitMs, run.exited)))
      this.#crashed(run, run.log.explain(undefined, program));
  }

  #becomeReady(run: ModelRun, address: string, stepMs: readonly number[]): void {
    const { clock, log } = this.#ports;
    const loadMs = clock.now() - run.startedAt;
    run.stepMs.push(...stepMs);
    const pace = judgePace(stepMs);
    this.#remember({ loadMs: Math.round(loadMs), pace: pace ?? this.#remembered?.pace });
    log.write('info', `the model loaded in ${(loadMs / 1000).toFixed(1)} s`);
    run.readyAt = clock.now();
    this.#progress.stop();
    this.#setState({ kind: 'ready', pace });
    this.restartIdleTimer();
    this.#settle({ ok: true, value: address });
  }

  /** The process ended by itself, or Parley stops it because it is of no use. */
  #crashed(run: ModelRun, error: AppError): void {
    const { clock, log } = this.#ports;
    const now = clock.now();
    const wasStable = run.readyAt !== undefined && now - run.readyAt >= crashWindowMs;
    if (wasStable) this.#attempt = 0;
    this.#attempt += 1;
    const earlier =
      run.readyAt === undefined
        ? this.#crashTimes
        : this.#crashTimes.filter((at) => now - at < crashWindowMs);
    this.#crashTimes = [...earlier, now];
    const detail = error.detail === undefined ? '' : `: ${error.detail}`;
    log.write('warn', `the model server stopped: ${error.code}${detail}`);
    const isLoading = run.readyAt === undefined;
    if (isLoading && isPermanent(error)) {
      const freeing = this.#ports.freeMemory?.(error);
      return freeing === undefined ? this.#fail(error) : this.#loadAfter(freeing, error);
    }
    const times = this.#crashTimes.length;
    if (times >= maxCrashes)
      return this.#fail(appError('modelCrashLoop', { times }, { cause: error }));
    const seconds =
      error.code === 'modelPortTaken' ? 0 : Math.min(maxBackOffSeconds, 2 ** (this.#attempt - 1));
    this.#endRun({ kind: 'restarting', attempt: this.#attempt, seconds, error });
    this.#retry.set(seconds * 1000, () => this.#load());
  }

  #loadAfter(room: Promise<void>, error: AppError): void {
    this.#endRun({ kind: 'restarting', attempt: this.#attempt, seconds: 0, error });
    const stopping = this.#stopping;
    this.#stopping = room.then(() => stopping);
    this.#retry.set(0, () => this.#load());
  }

  #fail(error: AppError): void {
    this.#endRun({ kind: 'failed', error });
    this.#settle({ ok: false, error });
  }

  /** Drops the run. Its process ends in the background, and the next run waits for that. */
  #endRun(next: ModelServerState): void {
    const run = this.#run;
    this.#run = undefined;
    this.#idle.stop();
    this.#retry.stop();
    this.#progress.stop();
    if (run !== undefined) this.#stopping = this.#stop(run);
    this.#setState(next);
  }

  async #stop(run: ModelRun): Promise<void> {
    const { clock, log } = this.#ports;
    const started = await run.started.catch(() => failure('modelStopped'));
    if (!started.ok || run.hasExited) return;
    const closing = Promise.allSettled([...this.#sessions].map(({ close }) => close()));
    await settlesWithin(clock, closeMs, Promise.race([closing, run.exited]));
    if (run.hasExited) return;
    started.value.terminate();
    if (await settlesWithin(clock, terminateMs, run.exited)) return;
    started.value.kill();
    if (await settlesWithin(clock, killMs, run.exited)) return;
    log.write('error', 'the model server did not exit and could not be killed');
  }

  #forgetCrashes(): void {
    this.#crashTimes = [];
    this.#attempt = 0;
  }

  #remember(load: RememberedLoad): void {
    this.#remembered = load;
    this.#ports.timings.remember(load);
  }

  #showProgress(run: ModelRun): void {
    const now = this.#ports.clock.now();
    if (run.address !== undefined && now - run.lastSignAt > maxSilenceMs) {
      const seconds = Math.round(maxSilenceMs / 1000);
      return this.#crashed(run, appError('modelSilent', { seconds }));
    }
    this.#setState({ kind: 'loading', ...run.progress(now, this.#remembered?.loadMs) });
    this.#progress.set(progressMs, () => this.#showProgress(run));
  }

  #setState(state: ModelServerState): void {
    this.#state = state;
    this.#listeners.emit(state);
  }

  #settle(outcome: Outcome<string>): void {
    for (const resolve of this.#waiting.splice(0)) resolve(outcome);
  }
}
