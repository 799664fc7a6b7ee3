import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Proxies, Sockets } from '../../shared/ports/sockets.ts';
import { LocalModel, type LocalModelServer } from '../model/local-model.ts';
import { refuseSlowTalks } from '../model/model-pace.ts';
import type { ModelFiles } from '../model/model-files.ts';
import { lookAtHardware } from '../platform/model/graphics-card.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Machine } from './machine.ts';
import { openModelFiles } from './open-model-files.ts';

/** The process of the model and the gateway in front of it. */
export interface ModelRuntime {
  readonly server: LocalModelServer;
  readonly findProgram: (path: string) => Promise<Outcome<string>>;
  /** Opens the gateway in this process for the model server at this address. */
  readonly openSockets: (address: string) => Promise<Outcome<Sockets>>;
}

/** For a Parley that cannot run the program. */
export const noModelRuntime: ModelRuntime = {
  server: {
    state: { kind: 'stopped' },
    listen: () => () => undefined,
    ready: () => Promise.resolve(failure('modelProgramMissing')),
    letGo: () => Promise.resolve(),
  },
  findProgram: () => Promise.resolve(failure('modelProgramMissing')),
  openSockets: () => Promise.resolve(failure('modelProgramMissing')),
};

/** The model on this computer: its files, its process and what the window shows of them. */
export class ComputerModel {
  readonly files: ModelFiles;
  readonly local: LocalModel;
  readonly #runtime: ModelRuntime;

  constructor(
    machine: Machine,
    settings: SettingsStore,
    proxies: Proxies,
    runtime: ModelRuntime = noModelRuntime,
  ) {
    this.#runtime = runtime;
    this.files = openModelFiles(machine, proxies, '');
    this.local = new LocalModel({
      files: this.files,
      server: runtime.server,
      findProgram: runtime.findProgram,
      lookAtHardware: async (folder) => {
        const free = await machine.files.freeSpace(folder);
        return lookAtHardware(free.ok ? free.value : undefined);
      },
      settings: () => settings.get().model,
      change: (model) => settings.change({ model }),
      post: (state) => machine.notices.post('modelChanged', state),
    });
    settings.whenLoaded(() => void this.files.setFolder(settings.get().model.folder));
    machine.lifetime.add(this.local.begin(), 'model on this computer');
  }

  /** Sockets to the model; resolves when it is loaded. */
  readonly connect = async (): Promise<Outcome<Sockets>> => {
    const files = await this.files.ready();
    if (!files.ok) return files;
    const address = await this.#runtime.server.ready();
    if (!address.ok) return address;
    const { server, openSockets } = this.#runtime;
    const sockets = await openSockets(address.value);
    if (!sockets.ok) return sockets;
    const pace = () => (server.state.kind === 'ready' ? server.state.pace : undefined);
    return { ok: true, value: refuseSlowTalks(sockets.value, pace) };
  };
}
