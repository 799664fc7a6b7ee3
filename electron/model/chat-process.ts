import { type AppError, appError, type Outcome } from '../../shared/errors/app-error.ts';
import { Listeners } from '../../shared/listeners.ts';
import type {
  ChatPlace,
  ModelHardware,
  ModelServerState,
} from '../../shared/model/local-model-state.ts';
import type { Log } from '../../shared/ports/log.ts';
import { requiredBytesForChat } from './hardware-verdict.ts';
import type { LocalModelServer } from './local-model.ts';

interface Deps {
  readonly log: Log;
  /** The process for chats only. */
  readonly server: LocalModelServer & {
    readonly expectedLoadMs: number;
    readonly hasSessions: boolean;
  };
  readonly talks: Pick<LocalModelServer, 'state' | 'ready'>;
  /** Whether the user wants to chat during talks. */
  readonly isWanted: () => boolean;
  readonly examineHardware: () => Promise<ModelHardware>;
}

/** Errors that keep the process for talks from running, too. That process reports them. */
const sharedErrorCodes: ReadonlySet<string> = new Set([
  'modelProgramMissing',
  'modelProgramGone',
  'modelProgramNotExecutable',
  'modelFilesMissing',
  'modelFileSize',
  'modelFileChanged',
  'modelFilesBusy',
  'modelFolderBusy',
] satisfies AppError['code'][]);

const memoryCodes: ReadonlySet<string> = new Set([
  'modelCardMemory',
  'modelMemory',
] satisfies AppError['code'][]);

/**
 * The second copy of the model, which answers chats during a talk. It starts with the first chat if the card has room.
 * If it cannot run, chats and talks take turns at the first copy until Parley restarts or `tryAgain` is called.
 */
export class ChatProcess {
  readonly #deps: Deps;
  readonly #listeners = new Listeners<undefined>();
  /** Undefined until Parley has looked at the card. */
  #hasRoom: boolean | undefined;
  #trouble: AppError | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.server.listen((state) => {
      if (state.kind === 'failed') this.#giveUp(state.error);
      this.#listeners.emit(undefined);
    });
  }

  get place(): ChatPlace | undefined {
    const { server, isWanted } = this.#deps;
    if (this.#hasRoom !== true || !isWanted()) return undefined;
    return this.#trouble === undefined
      ? { kind: 'own', server: server.state }
      : { kind: 'turns', error: this.#trouble };
  }

  /** Whether this process slows down the steps of a talk now. */
  get isBusy(): boolean {
    const { state, hasSessions } = this.#deps.server;
    return state.kind === 'loading' || hasSessions;
  }

  /** Calls back when `place` may have changed. */
  listen(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  noteHardware({ hasRoomForTwo }: ModelHardware): void {
    if (this.#hasRoom === hasRoomForTwo) return;
    this.#hasRoom = hasRoomForTwo;
    this.#listeners.emit(undefined);
  }

  /** How long a chat waits for this process, with `seconds` if known; undefined if it would start at once or takes turns. */
  waitFor(): { readonly seconds: number | undefined } | undefined {
    const { server, talks, isWanted } = this.#deps;
    if (!isWanted() || this.#trouble !== undefined || this.#hasRoom === false) return undefined;
    if (this.#hasRoom === undefined) return { seconds: undefined };
    if (server.state.kind === 'ready') return undefined;
    const ownSeconds = secondsLeft(server.state) ?? Math.ceil(server.expectedLoadMs / 1000);
    return { seconds: ownSeconds + (secondsLeft(talks.state) ?? 0) };
  }

  /** Starts the process if needed. Undefined if chats take turns with talks. */
  async ready(): Promise<Outcome<string> | undefined> {
    const { server } = this.#deps;
    if (!(await this.#mayRun())) return undefined;
    const ready = await server.ready();
    // `freeMemory` may have stopped the process meanwhile, for a talk.
    if (this.#trouble !== undefined) return undefined;
    if (ready.ok || ready.error.code === 'modelStopped') return ready;
    this.#giveUp(ready.error);
    return undefined;
  }

  /**
   * Frees the card's memory for a talk that could not load; undefined if the memory was not the cause or this process has none.
   */
  freeMemory({ code }: AppError): Promise<void> | undefined {
    const { server } = this.#deps;
    const { kind } = server.state;
    if (!memoryCodes.has(code) || kind === 'stopped' || kind === 'failed') return undefined;
    this.#giveUp(appError(code));
    return server.unload();
  }

  unload(): Promise<void> {
    return this.#deps.server.unload();
  }

  /** Forgets the failure, because the settings have changed. Unloads the model if the user no longer wants chats during talks. */
  tryAgain(): void {
    this.#trouble = undefined;
    if (!this.#deps.isWanted()) void this.#deps.server.unload();
    this.#listeners.emit(undefined);
  }

  async #mayRun(): Promise<boolean> {
    const { server, talks, isWanted, examineHardware, log } = this.#deps;
    if (!isWanted() || this.#trouble !== undefined) return false;
    const { kind } = server.state;
    if (kind !== 'stopped' && kind !== 'failed') return true;
    // The card reports the remaining memory only after the talks' process has loaded.
    if (talks.state.kind === 'loading' || talks.state.kind === 'restarting') await talks.ready();
    const hardware = await examineHardware();
    this.noteHardware(hardware);
    if (!hardware.hasRoomForTwo) return false;
    const freeBytes = hardware.card?.freeBytes ?? 0;
    const neededBytes = requiredBytesForChat(talks.state.kind === 'ready');
    if (freeBytes >= neededBytes) return true;
    log.write(
      'info',
      `a process for chats needs ${inGb(neededBytes)} GB of the card's memory, but ${inGb(freeBytes)} GB are free`,
    );
    this.#giveUp(appError('modelCardMemory'));
    return false;
  }

  #giveUp(error: AppError): void {
    if (sharedErrorCodes.has(error.code) || this.#trouble !== undefined) return;
    this.#trouble = error;
    this.#deps.log.write(
      'warn',
      `chats take turns with talks, because their process could not run: ${error.code}`,
    );
    this.#listeners.emit(undefined);
  }
}

function secondsLeft(state: ModelServerState): number | undefined {
  return state.kind === 'loading' ? state.secondsLeft : undefined;
}

const inGb = (bytes: number): string => (bytes / 1e9).toFixed(1);
