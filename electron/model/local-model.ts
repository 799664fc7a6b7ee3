import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { ModelHandlers } from '../../shared/ipc/model-ipc.ts';
import type {
  ChatPlace,
  LocalModelState,
  ModelHardware,
  ModelServerState,
} from '../../shared/model/local-model-state.ts';
import type { OpenMethod } from '../../shared/ports/files.ts';
import type { ModelSettings } from '../../shared/settings/app-settings.ts';
import type { ModelFiles } from './model-files.ts';
import type { ModelArbiter } from './model-arbiter.ts';

/** The model's process, as far as the window needs it. */
export interface LocalModelServer {
  readonly state: ModelServerState;
  readonly listen: (listener: (state: ModelServerState) => void) => () => void;
  /** Resolves when a session would start at once. */
  readonly ready: () => Promise<Outcome<string>>;
  readonly unload: () => Promise<void>;
}

export interface LocalModelPorts {
  readonly files: Pick<
    ModelFiles,
    | 'state'
    | 'folder'
    | 'listen'
    | 'examine'
    | 'download'
    | 'pause'
    | 'verify'
    | 'remove'
    | 'useFolder'
    | 'setFolder'
  >;
  readonly server: LocalModelServer;
  readonly arbiter: Pick<ModelArbiter, 'user' | 'listen'>;
  readonly chats: {
    readonly place: ChatPlace | undefined;
    readonly listen: (listener: () => void) => () => void;
    readonly noteHardware: (hardware: ModelHardware) => void;
    readonly unload: () => Promise<void>;
  };
  /** Finds the program: at the given path, or by a search if it is empty. */
  readonly findProgram: (path: string) => Promise<Outcome<string>>;
  /** Looks at the graphics card, the memory and the disk of the folder. */
  readonly examineHardware: (folder: string) => Promise<ModelHardware>;
  readonly openMethod: OpenMethod | undefined;
  readonly settings: () => ModelSettings;
  readonly change: (settings: Partial<ModelSettings>) => Outcome<unknown>;
  /** Posts the state to the pages: each change, and progress twice a second. */
  readonly post: (state: LocalModelState) => void;
}

/** Combines the states of hardware, program, files and process for the window, and answers its requests. */
export class LocalModel {
  readonly #ports: LocalModelPorts;
  #hardware: ModelHardware | undefined;
  #program: string | undefined;

  readonly handlers: ModelHandlers;

  constructor(ports: LocalModelPorts) {
    this.#ports = ports;
    const { files, server, chats, settings, openMethod } = ports;
    const unload = async (): Promise<void> => {
      await Promise.all([server.unload(), chats.unload()]);
    };
    this.handlers = {
      localModel: () => this.state,
      lookForModel: () => this.refresh(),
      // Answers at once: a download can take hours, and its end is posted.
      downloadModel: () => void files.download(settings().mirror),
      pauseModel: () => files.pause(),
      verifyModel: () => void files.verify(),
      removeModel: async () => {
        // Some systems refuse to delete files that a process has open.
        await unload();
        const removed = withoutValue(await files.remove());
        void this.refresh();
        return removed;
      },
      setModelFolder: ({ path }) => this.#fromPage(path) ?? this.#useFolder(path),
      chooseModelFolder: () =>
        this.#choose(openMethod?.chooseFolder, (path) => this.#useFolder(path)),
      setModelProgram: ({ path }) => this.#fromPage(path) ?? this.#useProgram(path),
      chooseModelProgram: () =>
        this.#choose(openMethod?.chooseFile, (path) => this.#useProgram(path)),
      loadModel: () => void server.ready(),
      unloadModel: unload,
    };
  }

  get state(): LocalModelState {
    const { files, server, arbiter, chats } = this.#ports;
    return {
      hardware: this.#hardware,
      program: this.#program,
      files: files.state,
      server: server.state,
      user: arbiter.user,
      chat: chats.place,
    };
  }

  /** Posts changes until the returned function is called. */
  begin(): () => void {
    const stops = [
      this.#ports.files.listen(() => this.#post()),
      this.#ports.server.listen(() => this.#post()),
      this.#ports.arbiter.listen(() => this.#post()),
      this.#ports.chats.listen(() => this.#post()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  async refresh(): Promise<void> {
    const { files, chats, findProgram, examineHardware, settings } = this.#ports;
    const { program: path } = settings();
    const { folder } = files;
    const [hardware, program] = await Promise.all([
      examineHardware(folder),
      findProgram(path),
      files.examine(),
    ]);
    // The user may have chosen another folder or program while the system was asked about its cards and disks.
    if (files.folder === folder) {
      this.#hardware = hardware;
      chats.noteHardware(hardware);
    }
    if (settings().program === path) this.#program = program.ok ? program.value : undefined;
    this.#post();
  }

  /** Refuses a path from the page if the host has dialogs: Parley runs the program at that path, so the user chooses it. */
  #fromPage(path: string): Outcome<undefined> | undefined {
    return path !== '' && this.#ports.openMethod !== undefined
      ? failure('pathNotChosen')
      : undefined;
  }

  async #choose(
    ask: OpenMethod['chooseFile'] | undefined,
    onChosen: (path: string) => Promise<Outcome<undefined>>,
  ): Promise<Outcome<undefined>> {
    const path = await ask?.();
    return path === undefined ? done : onChosen(path);
  }

  async #useFolder(path: string): Promise<Outcome<undefined>> {
    const { files, change } = this.#ports;
    const used = path === '' ? await files.setFolder('') : await files.useFolder(path);
    // The folder may be on another disk, whose free space the window shows; after a failure, one of the folder that was tried.
    void this.refresh();
    if (!used.ok) return used;
    // The user stopped the verification, so the former folder stays in use.
    if (path !== '' && used.value.kind !== 'ready') return done;
    return withoutValue(change({ folder: path }));
  }

  async #useProgram(path: string): Promise<Outcome<undefined>> {
    const { findProgram, change } = this.#ports;
    const found = await findProgram(path);
    if (!found.ok && path !== '') return found;
    const changed = change({ program: path });
    if (!changed.ok) return changed;
    this.#program = found.ok ? found.value : undefined;
    this.#post();
    return done;
  }

  #post(): void {
    this.#ports.post(this.state);
  }
}

function withoutValue(outcome: Outcome<unknown>): Outcome<undefined> {
  return outcome.ok ? done : outcome;
}
