import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Proxies, Socket, SocketEnd } from '../../shared/ports/sockets.ts';
import { backendContextTokens, inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { resample } from '../audio/dsp/sinc-resampler.ts';
import { createBackendCodec } from '../gateway/backend-codec.ts';
import type { Backend } from '../gateway/backend.ts';
import type { DemoSpeech } from '../gateway/gateway-options.ts';
import { modelCatalogue } from '../model/model-catalogue.ts';
import { type ModelIdentity, ModelMemory } from './model-memory.ts';
import { ModelModes } from '../model/model-modes.ts';
import { ModelServer } from '../model/model-server.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { findModelProgram } from '../platform/model/find-model-program.ts';
import { connectBackend } from '../platform/model/backend-connection.ts';
import { startModelProcess } from '../platform/model/model-process.ts';
import { bufferBase64 } from '../platform/system/base64-sha256.ts';
import type { Machine } from './machine.ts';
import { openModelFiles } from './open-model-files.ts';
import { resourcesFolder } from './resources.ts';

export interface BackendAddress {
  readonly address: URL;
  readonly serves: Backend['serves'];
}

export { readBackendAddress } from '../platform/model/backend-connection.ts';

/** Model servers to put behind a gateway. */
export function connectBackends(addresses: readonly BackendAddress[]): readonly Backend[] {
  return addresses.map(({ address, serves }) => connectBackend(address, serves));
}

export interface ModelSource {
  readonly findProgram: () => Promise<Outcome<string>>;
  /** The folder of the complete model. */
  readonly findFolder: () => Promise<Outcome<string>>;
  /** That folder, complete or not. */
  readonly folder: () => string;
  /** How long the model stays loaded without a session; 0 means always. */
  readonly idleMs: () => number;
}

/** The process that runs the model, started on its first use. */
export function openModelServer(
  machine: Pick<Machine, 'folder' | 'clock' | 'log' | 'lifetime' | 'stateFile'>,
  { findProgram, findFolder, folder: modelFolder, idleMs }: ModelSource,
): ModelServer {
  const { clock, log, lifetime, folder } = machine;
  const { files } = modelCatalogue;
  const memory = new ModelMemory(machine.stateFile('model-server'), log);
  let identity: ModelIdentity | undefined;
  const server = new ModelServer(
    {
      clock,
      log,
      start: async (listener) => {
        const [program, complete] = [await findProgram(), await findFolder()];
        if (!program.ok) return program;
        if (!complete.ok) return complete;
        const model = join(complete.value, files[0]?.path ?? '');
        return startModelProcess(
          { program: program.value, model, folder, contextTokens: backendContextTokens },
          listener,
        );
      },
      openBackend: (address) => connectBackend(new URL(address)),
      codec: createBackendCodec(bufferBase64),
      voice: loadDefaultVoice,
      memory: {
        recall: async () => {
          const program = await findProgram();
          identity = program.ok ? await identify(program.value, modelFolder()) : undefined;
          return identity && memory.recall(identity);
        },
        remember: (load) => {
          if (identity !== undefined) memory.remember(identity, load);
        },
      },
    },
    { idleMs, files },
  );
  lifetime.add(async () => {
    await server.end();
    await memory.settled();
  }, 'model server');
  return server;
}

async function identify(program: string, folder: string): Promise<ModelIdentity | undefined> {
  const facts = await stat(program).catch(() => undefined);
  return facts && { program, bytes: facts.size, changedMs: facts.mtimeMs, folder };
}

/** Runs the model in this folder for the terminal, until the lifetime ends. */
export function openModelIn(
  machine: Parameters<typeof openModelFiles>[0],
  proxies: Proxies,
  folder: string,
  program: string,
): { readonly server: ModelServer; readonly backend: Backend } {
  const files = openModelFiles(machine, proxies, folder);
  const server = openModelServer(machine, {
    findProgram: () => findModelProgram(program, files.folder),
    findFolder: () => files.ready(),
    folder: () => files.folder,
    idleMs: () => 0,
  });
  return { server, backend: prepared(machine.clock, server) };
}

/** The model server as a worker that loads each client's mode before its session. */
function prepared(clock: Clock, server: ModelServer): Backend {
  const backend = modelBackend(server);
  const codec = createBackendCodec(bufferBase64);
  const modes = new ModelModes({ clock, server, backend, codec, voice: loadDefaultVoice });
  return {
    ...backend,
    prepare: (mode) => {
      const user = mode === 'chat' ? 'chat' : 'talk';
      if (modes.waitFor(user) === undefined) return undefined;
      return { done: modes.ready(user), etaSeconds: () => modes.waitFor(user)?.seconds };
    },
  };
}

export async function loadDefaultVoice(): Promise<Float32Array> {
  const speech = await loadDemoSpeech(resourcesFolder('speech'));
  return defaultVoice(speech.ok ? speech.value : { clips: [] });
}

/** The reference voice for model servers, 16 kHz mono: their own default is a path on the machine that built them. */
export function defaultVoice({ clips }: DemoSpeech): Float32Array {
  const [clip] = clips;
  return clip === undefined
    ? new Float32Array(inputRate)
    : resample(clip.audio, outputRate, inputRate);
}

/** The model server as a worker of the gateway. Its address changes with every start. */
export function modelBackend(server: ModelServer): Backend {
  const current = (): Backend => connectBackend(new URL(server.address ?? unusedAddress));
  return {
    name: 'this computer',
    serves: 'both',
    connect: (listener) => {
      const session: { socket?: Socket } = {};
      const letGo = server.hold(() => {
        session.socket?.terminate();
        return Promise.resolve();
      });
      const ended = (end: SocketEnd): void => {
        letGo();
        listener.ended(end);
      };
      session.socket = current().connect({ ...listener, ended });
      return session.socket;
    },
    onStep: (milliseconds, hasPicture) => server.addStep(milliseconds, hasPicture),
    closeSession: (sessionId, reason) => current().closeSession(sessionId, reason),
    isHealthy: async () => (await server.ready()).ok && current().isHealthy(),
  };
}

/** Port 9 answers nobody; the session fails and the worker waits for the model's next start. */
const unusedAddress = 'ws://127.0.0.1:9/backend';
