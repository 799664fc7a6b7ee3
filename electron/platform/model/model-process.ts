import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createWriteStream, mkdirSync, renameSync, constants, type WriteStream } from 'node:fs';
import { mkdtemp, rm, statfs, access, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, homedir } from 'node:os';
import { join, delimiter } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { ModelExit, ModelProcess, ModelProcessListener } from '../../model/model-run.ts';
import {
  removeModelLock,
  type ModelProcessName,
  writeModelLock,
  takeModelLock,
} from './model-lock.ts';

export interface ModelProcessOptions {
  readonly name: ModelProcessName;
  readonly program: string;
  /** The path of the language model. The other files are in the same folder. */
  readonly model: string;
  readonly folder: string;
  readonly contextTokens: number;
}

/**
 * The script of the shell that starts the program and ends it when Parley ends. The shell's input is a pipe that only
 * Parley has open, and which closes even if Parley is killed. A watcher then ends the program, deletes its temporary files
 * and ends everything else in the process group. Parley signals the whole group, so the shell does not forward signals: at
 * a second signal, llama.cpp exits without cleaning up.
 */
const guard = `exec 3<&0
"$@" </dev/null 3<&- &
child=$!
trap : TERM
( trap '' TERM
  cat <&3
  if kill -0 $$ 2>/dev/null; then kill -KILL $child; fi
  rm -rf "$TMPDIR"
  kill -KILL 0
) >/dev/null 2>&1 &
exec 3<&-
while :; do
  wait $child; code=$?
  kill -0 $child 2>/dev/null || exit $code
done`;

/** The free space that a temporary folder needs, because a session writes its sound and pictures there. */
const minTemporaryBytes = 512 * 1024 * 1024;

export async function startModelProcess(
  { name, program, model, folder, contextTokens }: ModelProcessOptions,
  listener: ModelProcessListener,
): Promise<Outcome<ModelProcess>> {
  const free = await takeModelLock(folder, name);
  if (!free.ok) return free;
  const temporary = await makeTemporaryFolder(folder);
  if (!temporary.ok) {
    removeModelLock(folder, name);
    return temporary;
  }
  const port = await findFreePort();
  const args = modelArguments(model, port, contextTokens);
  let hasClosed = false;
  const log = new BoundedLog(join(folder, 'logs'), `${name}.log`);
  const child = spawnGuarded(program, args, temporary.value);
  const read = (text: string): void => {
    log.write(text);
    listener.output(text);
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  child.stdin.on('error', () => {
    // The shell has ended, and its exit is reported.
  });
  child.once('error', (error) => listener.output(`${error.message}\n`));
  // Makes the watcher end what the program left in its process group. While that keeps the output open, `close` does not come.
  child.once('exit', () => child.stdin.destroy());
  child.once('close', (code, signal) => {
    hasClosed = true;
    log.end();
    removeModelLock(folder, name);
    const reportEnd = (): void => listener.ended(toExit(code, signal));
    // The watcher may be deleting the same files.
    rm(temporary.value, { recursive: true, force: true, maxRetries: 3 }).then(reportEnd, reportEnd);
  });
  const { pid } = child;
  // On a full disk there is no lock. The pipe still ends the program when Parley ends.
  if (pid !== undefined)
    await writeModelLock(folder, name, pid, temporary.value).catch(() => undefined);
  if (hasClosed) removeModelLock(folder, name);
  return {
    ok: true,
    value: {
      address: `ws://127.0.0.1:${port}/backend`,
      program,
      terminate: () => signalGroup(pid, 'SIGTERM'),
      kill: () => signalGroup(pid, 'SIGKILL'),
    },
  };
}

function modelArguments(model: string, port: number, contextTokens: number): readonly string[] {
  const sampling = '--temp 0.7 --top-k 100 --top-p 0.8 --min-p 0';
  const repetition = '--repeat-penalty 1.05 --repeat-last-n 512';
  const serverArgs = `--host 127.0.0.1 --port ${port} -ngl 99 --ctx-size ${contextTokens}`;
  return ['-m', model, ...`${serverArgs} ${sampling} ${repetition}`.split(' ')];
}

function spawnGuarded(
  program: string,
  args: readonly string[],
  temporary: string,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const isUnix = process.platform !== 'win32';
  const [command, commandArgs] = isUnix
    ? ['/bin/sh', ['-c', guard, 'parley-model', program, ...args]]
    : [program, [...args]];
  return spawn(command, commandArgs, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Gives the program its own process group, which can be ended as a whole.
    detached: isUnix,
    windowsHide: true,
    env: modelEnvironment(temporary),
  });
}

const inheritedVariables = new RegExp(
  `^(?:${[
    'PATH|HOME|LANG|LC_.*|SYSTEMROOT|USERPROFILE',
    'LD_LIBRARY_PATH|DYLD_.*',
    // For the libraries of the graphics cards. Some of these variables choose one of several cards.
    'CUDA_.*|NVIDIA_.*|__NV_.*|__GLX_VENDOR_LIBRARY_NAME',
    'HIP_.*|HSA_.*|ROCR_.*|ROCM_.*|AMD_.*|AMDGPU_.*|RADV_.*|GPU_DEVICE_ORDINAL',
    'VK_.*|MESA_.*|DRI_PRIME|LIBGL_.*|ONEAPI_.*|SYCL_.*|ZE_.*|GGML_.*',
    // Drivers are found, and store compiled programs, in these folders.
    'XDG_RUNTIME_DIR|XDG_CACHE_HOME|XDG_DATA_DIRS',
  ].join('|')})$`,
  'iu',
);

/** The variables that the program and the card's driver need. Tokens and proxies are not among them. */
function modelEnvironment(temporary: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => inheritedVariables.test(name));
  const folders = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  return { ...Object.fromEntries(inherited), ...folders, NO_PROXY: '127.0.0.1,localhost' };
}

/** Creates a folder for what the program hears and sees, in memory if possible. */
async function makeTemporaryFolder(folder: string): Promise<Outcome<string>> {
  const parents = ['/dev/shm', process.env['XDG_RUNTIME_DIR'] ?? '', folder, tmpdir()];
  for (const parent of parents) {
    if (parent === '' || !(await hasRoom(parent))) continue;
    const path = await mkdtemp(join(parent, 'parley-model-')).catch(() => undefined);
    if (path !== undefined) return { ok: true, value: path };
  }
  return failure('modelTemporaryFull', { path: folder });
}

async function hasRoom(folder: string): Promise<boolean> {
  const facts = await statfs(folder).catch(() => undefined);
  return facts !== undefined && facts.bavail * facts.bsize >= minTemporaryBytes;
}

/** Finds a free port. If another program takes it first, the server ends and is started again. */
function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The program has ended already, and its exit is reported.
  }
}

const signals: ReadonlyMap<number, string> = new Map([
  [4, 'SIGILL'],
  [6, 'SIGABRT'],
  [9, 'SIGKILL'],
  [11, 'SIGSEGV'],
  [15, 'SIGTERM'],
]);

/** Reads how the program ended. The shell reports a signal as 128 plus its number. */
function toExit(code: number | null, signal: string | null): ModelExit {
  const childSignal = code !== null && code > 128 ? signals.get(code - 128) : undefined;
  return { code: code ?? undefined, signal: childSignal ?? signal ?? undefined };
}

const maxLogBytes = 2 * 1024 * 1024;

/** Keeps the newest output of the program in two files. */
class BoundedLog {
  readonly #path: string;
  #stream: WriteStream;
  #bytes = 0;

  constructor(folder: string, name: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, name);
    this.#stream = this.#open();
  }

  write(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#bytes += bytes;
    if (this.#bytes > maxLogBytes) {
      this.#stream.end();
      this.#stream = this.#open();
      this.#bytes = bytes;
    }
    this.#stream.write(text);
  }

  end(): void {
    this.#stream.end();
  }

  #open(): WriteStream {
    try {
      renameSync(this.#path, `${this.#path}.1`);
    } catch {
      // There is no earlier log.
    }
    const stream = createWriteStream(this.#path, { mode: 0o600 });
    stream.on('error', () => {
      // The log is only for developers, and a full disk must not stop a talk.
    });
    return stream;
  }
}

const name = process.platform === 'win32' ? 'llama-omni-server.exe' : 'llama-omni-server';

/**
 * Finds the program at this path. If the path is empty, it searches PATH, the folders where the program is usually built,
 * and the folder of the model, where installers put it.
 */
export async function findModelProgram(path: string, modelFolder = ''): Promise<Outcome<string>> {
  if (path !== '') return checkProgram(path);
  const modelFolders = modelFolder === '' ? [] : [modelFolder, join(modelFolder, 'bin')];
  for (const candidate of [
    ...defaultPaths(),
    ...modelFolders.map((folder) => join(folder, name)),
  ]) {
    const found = await checkProgram(candidate);
    if (found.ok) return found;
  }
  return failure('modelProgramMissing');
}

function defaultPaths(): readonly string[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const home = homedir();
  const folders = [
    ...onPath,
    join(home, '.local/bin'),
    join(home, 'llama.cpp-omni/build/bin'),
    '/usr/local/bin',
    '/opt/llama.cpp-omni/bin',
    '/opt/homebrew/bin',
  ];
  return folders.map((folder) => join(folder, name));
}

async function checkProgram(path: string): Promise<Outcome<string>> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile() !== true) return failure('modelProgramGone', { path });
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return isExecutable ? { ok: true, value: path } : failure('modelProgramNotExecutable', { path });
}
