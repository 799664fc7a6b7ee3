import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { ModelUser } from '../../shared/model/local-model-state.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Proxies, Socket, SocketEnd } from '../../shared/ports/sockets.ts';
import { backendContextTokens, inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { resample } from '../audio/dsp/sinc-resampler.ts';
import { createBackendCodec, type Backend } from '../gateway/backend.ts';
import type { DemoSpeech } from '../gateway/gateway-options.ts';
import { ChatProcess } from '../model/chat-process.ts';
import { modelCatalogue } from '../model/model-catalogue.ts';
import { ModelModes } from '../model/model-modes.ts';
import { ModelSupervisor, type ModelSupervisorPorts } from '../model/model-supervisor.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { connectBackend } from '../platform/model/backend-connection.ts';
import { findModelProgram, startModelProcess } from '../platform/model/model-process.ts';
import { examineHardware } from '../platform/model/graphics-card.ts';
import { bufferBase64 } from '../platform/system/base64-sha256.ts';
import type { Machine } from './machine.ts';
import { type ModelIdentity, ModelTimings } from './model-timings.ts';
import { openModelFiles } from './open-model-files.ts';
import { resourcesFolder } from './resources.ts';

export interface BackendAddress {
  readonly address: URL;
  readonly serves: Backend['serves'];
}

export { readBackendAddress } from '../platform/model/backend-connection.ts';

export function connectBackends(addresses: readonly BackendAddress[]): readonly Backend[] {
  return addresses.map(({ address, serves }) => connectBackend(address, serves));
}

/** Where a model server finds its program and files, and how long it keeps them loaded. */
export interface ModelSource {
  readonly findProgram: () => Promise<Outcome<string>>;
  /** Finds the folder of the model, if all its files are there. */
  readonly findFolder: () => Promise<Outcome<string>>;
  /** The folder of the model, even if files are missing. */
  readonly folder: () => string;
  /** How long the model stays loaded without a session; 0 means always. */
  readonly idleMs: () => number;
  /** Calls back when the idle time has changed. Returns a function that stops this. */
  readonly onIdleChange?: ((listener: () => void) => () => void) | undefined;
}

type ServerMachine = Pick<Machine, 'folder' | 'clock' | 'log' | 'lifetime' | 'stateFile'>;

interface Purpose {
  readonly user: ModelUser;
  readonly freeMemory?: ModelSupervisorPorts['freeMemory'];
}

interface OpenServer {
  readonly server: ModelSupervisor;
  readonly end: () => Promise<void>;
}

function createModelServer(
  machine: Omit<ServerMachine, 'lifetime'>,
  { findProgram, findFolder, folder: modelFolder, idleMs, onIdleChange }: ModelSource,
  { user, freeMemory }: Purpose,
): OpenServer {
  const { clock, log, folder } = machine;
  const { files } = modelCatalogue;
  const name = user === 'chat' ? 'model-chat' : 'model-server';
  const timings = new ModelTimings(machine.stateFile(name), log);
  let identity: ModelIdentity | undefined;
  const server = new ModelSupervisor(
    {
      clock,
      log,
      freeMemory,
      start: async (listener) => {
        const [program, completeFolder] = [await findProgram(), await findFolder()];
        if (!program.ok) return program;
        if (!completeFolder.ok) return completeFolder;
        const model = join(completeFolder.value, files[0]?.path ?? '');
        return startModelProcess(
          { name, program: program.value, model, folder, contextTokens: backendContextTokens },
          listener,
        );
      },
      openBackend: (address) => connectBackend(new URL(address)),
      codec: createBackendCodec(bufferBase64),
      voice: loadDefaultVoice,
      timings: {
        recall: async () => {
          const program = await findProgram();
          identity = program.ok ? await identify(program.value, modelFolder()) : undefined;
          return identity && timings.recall(identity);
        },
        remember: (load) => {
          if (identity !== undefined) timings.remember(identity, load);
        },
      },
    },
    { user, idleMs, files },
  );
  const stopFollowing = onIdleChange?.(server.restartIdleTimer);
  const end = async (): Promise<void> => {
    stopFollowing?.();
    await server.end();
    await timings.settled();
  };
  return { server, end };
}

/** A process that runs the model, started on its first use. */
export function openModelServer(machine: ServerMachine, source: ModelSource): ModelSupervisor {
  const { server, end } = createModelServer(machine, source, { user: 'talk' });
  machine.lifetime.add(end, 'model server');
  return server;
}

/** The process for talks, and one for chats, which starts if the graphics card has room for both. */
export function openModelServers(
  machine: ServerMachine,
  source: ModelSource,
  {
    isWanted,
    examineHardware,
  }: Pick<ConstructorParameters<typeof ChatProcess>[0], 'isWanted' | 'examineHardware'>,
) {
  const { log, lifetime } = machine;
  const talk: OpenServer = createModelServer(machine, source, {
    user: 'talk',
    freeMemory: (error) => chats.freeMemory(error),
  });
  const chat = createModelServer(machine, source, { user: 'chat' });
  const [talks, chatServer] = [talk.server, chat.server];
  const chats = new ChatProcess({
    log,
    server: chatServer,
    talks,
    isWanted,
    examineHardware,
  });
  const chatBackend = modelBackend(chatServer);
  // In parallel, because ending one can take seconds, and the host abandons what ends late.
  lifetime.add(async () => {
    await Promise.all([talk.end(), chat.end()]);
  }, 'model servers');
  return {
    talks,
    chats,
    talkBackend: modelBackend(talks, () => !chats.isBusy),
    chatBackend: {
      ...chatBackend,
      isHealthy: async () =>
        (chats.place?.kind === 'own' && isUnloaded(chatServer)) ||
        ((await chats.ready())?.ok === true && chatBackend.isHealthy()),
    },
  };
}

async function identify(program: string, folder: string): Promise<ModelIdentity | undefined> {
  const facts = await stat(program).catch(() => undefined);
  return facts && { program, bytes: facts.size, changedMs: facts.mtimeMs, folder };
}

interface ModelChoice {
  readonly folder: string;
  readonly program: string;
}

function modelSourceIn(
  machine: Parameters<typeof openModelFiles>[0],
  proxies: Proxies,
  { folder, program }: ModelChoice,
): ModelSource {
  const files = openModelFiles(machine, proxies, folder);
  return {
    findProgram: () => findModelProgram(program, files.folder),
    findFolder: () => files.ready(),
    folder: () => files.folder,
    idleMs: () => 0,
  };
}

/** Runs the model of the chosen folder for one session at a time, until the lifetime ends. */
export function openModelIn(
  machine: Parameters<typeof openModelFiles>[0],
  proxies: Proxies,
  choice: ModelChoice,
): { readonly server: ModelSupervisor; readonly backend: Backend } {
  const server = openModelServer(machine, modelSourceIn(machine, proxies, choice));
  return { server, backend: modelBackend(server) };
}

/**
 * Runs the model of the chosen folder for the clients of a gateway: in two processes if chats during talks are wanted and the
 * graphics card has room.
 */
export async function openModelWorkers(
  machine: Parameters<typeof openModelFiles>[0],
  proxies: Proxies,
  choice: ModelChoice,
  isWanted: boolean,
) {
  const { talks, chats, talkBackend, chatBackend } = openModelServers(
    machine,
    modelSourceIn(machine, proxies, choice),
    { isWanted: () => isWanted, examineHardware },
  );
  if (isWanted) chats.noteHardware(await examineHardware());
  const worker = modeWorker(machine.clock, talks, talkBackend, chats);
  const hasChatWorker = chats.place !== undefined;
  return {
    server: talks,
    chats,
    workers: hasChatWorker ? [worker, chatWorker(chats, chatBackend)] : [worker],
  };
}

/** The model server as a worker that loads each client's mode before its session. */
function modeWorker(
  clock: Clock,
  server: ModelSupervisor,
  backend: Backend,
  chats: Pick<ChatProcess, 'place'>,
): Backend {
  const codec = createBackendCodec(bufferBase64);
  const modes = new ModelModes({ clock, server, backend, codec, voice: loadDefaultVoice });
  return {
    ...backend,
    get serves() {
      return chats.place?.kind === 'own' ? 'duplex' : 'both';
    },
    prepare: (mode) => {
      const user = mode === 'chat' ? 'chat' : 'talk';
      if (modes.waitFor(user) === undefined) return undefined;
      const done = modes.ready(user).then(({ ok }) => ok);
      return { done, etaSeconds: () => modes.waitFor(user)?.seconds };
    },
  };
}

/** The process for chats as a worker. If it fails, the gateway counts it as lost, and its clients get the other worker. */
function chatWorker(chats: ChatProcess, backend: Backend): Backend {
  return {
    ...backend,
    name: 'this computer, chats',
    serves: 'chat',
    prepare: () => {
      if (chats.waitFor() === undefined) return undefined;
      const done = chats.ready().then((ready) => ready?.ok === true);
      return { done, etaSeconds: () => chats.waitFor()?.seconds };
    },
  };
}

export async function loadDefaultVoice(): Promise<Float32Array> {
  const speech = await loadDemoSpeech(resourcesFolder('speech'));
  return defaultVoice(speech.ok ? speech.value : { clips: [] });
}

/**
 * The reference voice for model servers, 16 kHz mono. They need one, because their own default is a path on the machine
 * that built them.
 */
export function defaultVoice({ clips }: DemoSpeech): Float32Array {
  const [clip] = clips;
  return clip === undefined
    ? new Float32Array(inputRate)
    : resample(clip.audio, outputRate, inputRate);
}

/** The model server as a worker of the gateway. Its address changes with every start. */
function modelBackend(server: ModelSupervisor, isAlone = () => true): Backend {
  const current = (): Backend => connectBackend(new URL(server.address ?? unusedAddress));
  return {
    name: 'this computer',
    serves: 'both',
    connect: (listener) => {
      const session: { socket?: Socket } = {};
      const release = server.trackSession(() => {
        session.socket?.terminate();
        return Promise.resolve();
      });
      const ended = (end: SocketEnd): void => {
        release();
        listener.ended(end);
      };
      session.socket = current().connect({ ...listener, ended });
      return session.socket;
    },
    onStep: (milliseconds, hasPicture) => server.addStep(milliseconds, hasPicture, isAlone()),
    closeSession: (sessionId, reason) => current().closeSession(sessionId, reason),
    // A model that is unloaded or was given up counts as healthy: the next session loads it, and a health check must not.
    isHealthy: async () =>
      isUnloaded(server) || ((await server.ready()).ok && current().isHealthy()),
  };
}

function isUnloaded({ state }: ModelSupervisor): boolean {
  return state.kind === 'stopped' || state.kind === 'failed';
}

/** Used while the model does not run. Port 9 has no listener, so a session fails, and the worker waits for the model's next start. */
const unusedAddress = 'ws://127.0.0.1:9/backend';
