import type { Outcome } from '../../shared/errors/app-error.ts';
import type { ModelPace, ModelServerState, ModelUser } from '../../shared/model/local-model.ts';
import { openOnce } from '../../shared/lifetime.ts';
import type { OpenMethod } from '../../shared/ports/files.ts';
import type { Proxies, Sockets } from '../../shared/ports/sockets.ts';
import { LocalModel } from '../model/local-model.ts';
import { createBackendCodec } from '../gateway/backend-codec.ts';
import type { Backend } from '../gateway/backend.ts';
import { loadingSockets } from '../model/loading-sockets.ts';
import { minPauseOf, refuseSlowTalks } from '../model/model-pace.ts';
import type { ModelFiles } from '../model/model-files.ts';
import { ModelModes } from '../model/model-modes.ts';
import type { ModelServer } from '../model/model-server.ts';
import { ModelArbiter } from '../model/model-arbiter.ts';
import { findModelProgram } from '../platform/model/find-model-program.ts';
import { lookAtHardware } from '../platform/model/graphics-card.ts';
import { bufferBase64 } from '../platform/system/base64-sha256.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Machine } from './machine.ts';
import { loadDefaultVoice, modelBackend, openModelServer } from './model-server.ts';
import { openModelFiles } from './open-model-files.ts';

interface ComputerModelParts {
  readonly settings: SettingsStore;
  readonly proxies: Proxies;
  readonly openGateway: (backend: Backend) => Promise<Outcome<Sockets>>;
  readonly openMethod: OpenMethod | undefined;
}

/** The model on this computer: its files, its process and what the window shows of them. */
export class ComputerModel {
  readonly files: ModelFiles;
  readonly local: LocalModel;
  readonly server: ModelServer;
  readonly turns = new ModelArbiter();
  readonly #modes: ModelModes;
  /** Shared, because the process runs one session at a time. */
  readonly #gateway: () => Promise<Outcome<Sockets>>;

  constructor(
    machine: Machine,
    { settings, proxies, openGateway, openMethod }: ComputerModelParts,
  ) {
    this.files = openModelFiles(machine, proxies, '');
    this.server = openModelServer(machine, {
      findProgram: () => findModelProgram(settings.get().model.program, this.files.folder),
      findFolder: () => this.files.ready(),
      folder: () => this.files.folder,
      idleMs: () => settings.get().model.idleMinutes * 60_000,
    });
    const backend = modelBackend(this.server);
    this.#modes = new ModelModes({
      clock: machine.clock,
      server: this.server,
      backend,
      codec: createBackendCodec(bufferBase64),
      voice: loadDefaultVoice,
    });
    this.#gateway = openOnce(
      () => openGateway(backend),
      ({ ok }) => ok,
    );
    this.local = new LocalModel({
      files: this.files,
      server: this.#modes,
      turns: this.turns,
      findProgram: (path) => findModelProgram(path, this.files.folder),
      lookAtHardware: async (folder) => {
        const free = await machine.files.freeSpace(folder);
        return lookAtHardware(free.ok ? free.value : undefined);
      },
      openMethod,
      settings: () => settings.get().model,
      change: (model) => settings.change({ model }),
      post: (state) => machine.notices.post('modelChanged', state),
    });
    settings.whenLoaded(() => void this.files.setFolder(settings.get().model.folder));
    machine.lifetime.add(this.local.begin(), 'model on this computer');
  }

  /** Sockets to the model. The first connection loads it. */
  readonly connect = async (): Promise<Outcome<Sockets>> => {
    const open = () => this.#openSockets();
    const sockets = loadingSockets({ server: this.#modes, turns: this.turns, open });
    await this.server.recall();
    // A model that is known to be too slow need not load or change its mode first. Loading measures it again.
    const measure = () => void this.server.ready();
    const value = refuseSlowTalks(sockets, () => this.pace, measure);
    return { ok: true, value };
  };

  /** Loads the model for this user and returns sockets to it. Only for a process with one user. */
  readonly load = async (user: ModelUser): Promise<Outcome<Sockets>> => {
    // The time of the last load is the first estimate.
    await this.server.recall();
    const ready = await this.#modes.ready(user);
    return ready.ok ? this.connect() : ready;
  };

  /** Whether a session of this user would begin without a wait for the model. */
  wouldStart(user: ModelUser): boolean {
    return this.turns.mayEnter(user) && this.#modes.waitFor(user) === undefined;
  }

  readonly listen = (listener: (state: ModelServerState) => void): (() => void) =>
    this.#modes.listen(listener);

  /** How fast the model is, by this load or the last. */
  get pace(): ModelPace | undefined {
    return this.server.pace;
  }

  /** The shortest pause between the pictures of a talk. */
  readonly minPauseMs = (): number => minPauseOf(this.pace);

  async #openSockets(): Promise<Outcome<Sockets>> {
    const sockets = await this.#gateway();
    if (!sockets.ok) return sockets;
    return { ok: true, value: refuseSlowTalks(sockets.value, () => this.pace) };
  }
}
