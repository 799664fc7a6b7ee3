import type { Outcome } from '../../shared/errors/app-error.ts';
import type {
  ModelPace,
  ModelServerState,
  ModelUser,
} from '../../shared/model/local-model-state.ts';
import { openOnce } from '../../shared/lifetime.ts';
import type { OpenMethod } from '../../shared/ports/files.ts';
import type { Proxies, Sockets } from '../../shared/ports/sockets.ts';
import type { ChatProcess } from '../model/chat-process.ts';
import { LocalModel } from '../model/local-model.ts';
import { createBackendCodec, type Backend } from '../gateway/backend.ts';
import { loadingSockets } from '../model/loading-sockets.ts';
import { refuseSlowTalks } from '../model/model-pace.ts';
import type { ModelFiles } from '../model/model-files.ts';
import { ModelModes } from '../model/model-modes.ts';
import type { ModelSupervisor } from '../model/model-supervisor.ts';
import { ModelArbiter } from '../model/model-arbiter.ts';
import { findModelProgram } from '../platform/model/model-process.ts';
import { examineHardware } from '../platform/model/graphics-card.ts';
import { bufferBase64 } from '../platform/system/base64-sha256.ts';
import type { ModelSettings } from '../../shared/settings/app-settings.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Machine } from './machine.ts';
import { loadDefaultVoice, openModelServers } from './model-server.ts';
import { openModelFiles } from './open-model-files.ts';

interface ComputerModelParts {
  readonly settings: SettingsStore;
  readonly proxies: Proxies;
  readonly openGateway: (backend: Backend) => Promise<Outcome<Sockets>>;
  readonly openMethod: OpenMethod | undefined;
}

/** The model on this computer: its files, its process and what the window shows of them. */
export class ModelComposition {
  readonly files: ModelFiles;
  readonly local: LocalModel;
  readonly server: ModelSupervisor;
  readonly arbiter = new ModelArbiter();
  readonly #modes: ModelModes;
  readonly #chats: ChatProcess;
  /** Each opens once: a process runs one session at a time, so all clients share its gateway. */
  readonly #gateways: Readonly<Record<ModelUser, () => Promise<Outcome<Sockets>>>>;

  constructor(
    machine: Machine,
    { settings, proxies, openGateway, openMethod }: ComputerModelParts,
  ) {
    this.files = openModelFiles(machine, proxies, '');
    const examine = async (folder: string) => {
      const free = await machine.files.freeSpace(folder);
      return examineHardware(free.ok ? free.value : undefined);
    };
    const source = {
      findProgram: () => findModelProgram(settings.get().model.program, this.files.folder),
      findFolder: () => this.files.ready(),
      folder: () => this.files.folder,
      idleMs: () => settings.get().model.idleMinutes * 60_000,
      onIdleChange: (listener: () => void) =>
        settings.listen((event) => {
          if (event.kind !== 'changed') return;
          if (event.settings.model.idleMinutes !== event.before.model.idleMinutes) listener();
        }),
    };
    const { talks, chats, talkBackend, chatBackend } = openModelServers(machine, source, {
      isWanted: () => settings.get().model.chatWhileTalking === 'whenRoom',
      examineHardware: () => examine(this.files.folder),
    });
    this.server = talks;
    this.#chats = chats;
    this.#modes = new ModelModes({
      clock: machine.clock,
      server: this.server,
      backend: talkBackend,
      codec: createBackendCodec(bufferBase64),
      voice: loadDefaultVoice,
    });
    const open = (backend: Backend) =>
      openOnce(
        () => openGateway(backend),
        ({ ok }) => ok,
      );
    this.#gateways = { talk: open(talkBackend), chat: open(chatBackend) };
    this.local = new LocalModel({
      files: this.files,
      server: this.#modes,
      arbiter: this.arbiter,
      chats,
      findProgram: (path) => findModelProgram(path, this.files.folder),
      examineHardware: examine,
      openMethod,
      settings: () => settings.get().model,
      change: (model) => settings.change({ model }),
      post: (state) => machine.notices.post('modelChanged', state),
    });
    settings.whenLoaded(() => void this.files.setFolder(settings.get().model.folder));
    machine.lifetime.add(this.local.begin(), 'model on this computer');
    const followSettings = settings.listen((event) => {
      if (event.kind !== 'changed') return;
      const { settings: now, before } = event;
      if (mayRunAgain(now.model, before.model)) chats.tryAgain();
    });
    machine.lifetime.add(followSettings, 'settings listener: model');
  }

  /** Sockets to the model. The first connection loads it. */
  readonly connect = (): Promise<Outcome<Sockets>> =>
    this.#connect({
      waitFor: () => this.#chats.waitFor(),
      open: async () => {
        const ready = await this.#chats.ready();
        return ready?.ok === true ? this.#gateways.chat() : ready;
      },
    });

  async #connect(chats?: Parameters<typeof loadingSockets>[0]['chats']): Promise<Outcome<Sockets>> {
    const open = () => this.#openSockets();
    const sockets = loadingSockets({ server: this.#modes, arbiter: this.arbiter, open, chats });
    await this.server.recall();
    // Refuses a talk at once if the remembered pace is too slow, and loads the model to measure the pace again.
    const measure = () => void this.server.ready();
    const value = refuseSlowTalks(sockets, () => this.pace, measure);
    return { ok: true, value };
  }

  /**
   * Loads the model for talks or for chats, and returns sockets to it. Call it only in a process that runs a single talk or chat.
   */
  readonly load = async (user: ModelUser): Promise<Outcome<Sockets>> => {
    // Reads how long the last load took: Parley shows that time until this load is measured.
    await this.server.recall();
    const ready = await this.#modes.ready(user);
    return ready.ok ? this.#connect() : ready;
  };

  /** Whether a session of this user would begin without a wait for the model. */
  wouldStart(user: ModelUser): boolean {
    const place = user === 'chat' ? this.#chats.place : undefined;
    if (place?.kind === 'own') return place.server.kind === 'ready';
    return this.arbiter.mayEnter(user) && this.#modes.waitFor(user) === undefined;
  }

  readonly listen = (listener: (state: ModelServerState) => void): (() => void) =>
    this.#modes.listen(listener);

  /** The model's pace: measured in this load, or remembered from the last one. */
  get pace(): ModelPace | undefined {
    return this.server.pace;
  }

  readonly minPauseMs = (): number => this.server.minPauseMs;

  async #openSockets(): Promise<Outcome<Sockets>> {
    const sockets = await this.#gateways.talk();
    if (!sockets.ok) return sockets;
    return { ok: true, value: refuseSlowTalks(sockets.value, () => this.pace) };
  }
}

/** Whether this change could let the chat process start after it failed. */
function mayRunAgain(now: ModelSettings, before: ModelSettings): boolean {
  return (
    now.program !== before.program ||
    now.folder !== before.folder ||
    now.chatWhileTalking !== before.chatWhileTalking
  );
}
