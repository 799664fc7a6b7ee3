import { appError, type AppError, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { ModelFile } from './model-catalogue.ts';

/** The assumed time of the first load. */
export const firstLoadMs = 40_000;

/** A running `llama-omni-server` with everything it started. */
export interface ModelProcess {
  /** The process's address, of the form `ws://127.0.0.1:PORT/backend`. */
  readonly address: string;
  readonly program: string;
  readonly terminate: () => void;
  /** Ends the process's whole group at once. */
  readonly kill: () => void;
}

export interface ModelProcessListener {
  /** Output as it comes, in pieces. */
  readonly output: (text: string) => void;
  /** The last call. The process's temporary files are deleted by then. */
  readonly ended: (exit: ModelExit) => void;
}

/** One start of the process. */
export class ModelRun {
  /** When the process was started; until then, when the preparation of its start began. */
  startedAt: number;
  readonly log: ModelLog;
  /** Times of the first steps: the warm-up's and the first talk's. */
  readonly stepMs: number[] = [];
  /** Times of the newest steps, up to ten: the model may have become slower since the first ones. */
  recentMs: readonly number[] = [];
  /** When the process last printed something, or the warm-up session last got an answer. */
  lastSignAt: number;
  readyAt: number | undefined;
  address: string | undefined;
  program = '';
  started: Promise<Outcome<ModelProcess>> = Promise.resolve(failure('modelStopped'));
  hasExited = false;
  readonly exited: Promise<void>;
  #resolveExited: () => void = () => undefined;

  constructor(now: number, files: readonly ModelFile[]) {
    this.startedAt = now;
    this.lastSignAt = now;
    this.log = new ModelLog(files);
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
  }

  markExited(): void {
    this.hasExited = true;
    this.#resolveExited();
  }

  read(text: string, now: number): void {
    this.lastSignAt = now;
    this.log.append(text, now);
  }

  /** The larger of the progress by the log and by the time that the last load took. */
  progress(
    now: number,
    lastLoadMs: number | undefined,
  ): { readonly progress: number; readonly secondsLeft: number | undefined } {
    const expectedMs = lastLoadMs ?? firstLoadMs;
    const elapsedMs = now - this.startedAt;
    const byLog = this.log.progress(now, expectedMs);
    const byTime = lastLoadMs === undefined ? 0 : elapsedMs / lastLoadMs;
    const progress = Math.min(0.95, Math.max(byLog, byTime));
    if (elapsedMs < expectedMs)
      return { progress, secondsLeft: Math.ceil((expectedMs - elapsedMs) / 1000) };
    // The load is slower than expected, so the remaining time follows from the log.
    const secondsLeft =
      byLog < 0.1 ? undefined : Math.max(1, Math.ceil((elapsedMs * (1 - byLog)) / byLog / 1000));
    return { progress, secondsLeft };
  }
}

export interface ModelExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

const maxKeptLines = 40;
const maxLineLength = 300;

/** A file counts as at most this fraction of its bytes while it loads. */
const maxFilePart = 0.95;
const dotsLine = /^\.+$/u;

const libraryLine = /error while loading shared libraries: ([^\s:]+)/u;
/** The line in which the dynamic linker of macOS names a missing library. */
const macLibraryLine = /Library not loaded: (\S+)/u;
const fileLine = /failed to open GGUF file '([^']*)'/iu;
/** Messages about a truncated or altered file. They do not name the file. */
const damagedLine =
  /data is not within the file bounds|model is corrupted or incomplete|invalid magic|failed to read (?:magic|key-value pairs|tensor info)/iu;

/** A temporary file could not be written; captures its folder. */
const temporaryLine =
  /failed to write (\S+?)(?:[/\\]omni_ws[/\\]\S*)?: (?:No space left|Disk quota exceeded)/iu;

/**
 * Lines of llama.cpp and its libraries that name the cause of an end. The newest line that matches counts, and its
 * first match in this order.
 */
const causes: readonly (readonly [RegExp, (match: RegExpExecArray) => AppError])[] = [
  [libraryLine, ([, name = '']) => appError('modelLibraryMissing', { name })],
  [macLibraryLine, ([, path = '']) => appError('modelLibraryMissing', { name: lastPart(path) })],
  [
    /cudaMalloc failed: out of memory|OutOfDeviceMemory|unable to allocate (?:CUDA|ROCm|Vulkan|Metal)/iu,
    () => appError('modelCardMemory'),
  ],
  [/no CUDA-capable device|CUDA driver version is insufficient/iu, () => appError('modelNoCard')],
  [/std::bad_alloc|failed to allocate .*CPU/iu, () => appError('modelMemory')],
  [/couldn't bind|address already in use/iu, () => appError('modelPortTaken')],
  [temporaryLine, ([, path = '']) => appError('modelTemporaryFull', { path })],
  [fileLine, ([, path = '']) => appError('modelFileUnreadable', { name: lastPart(path) })],
];

const permanent: ReadonlySet<string> = new Set([
  'modelProgramForeign',
  'modelProgramOld',
  'modelLibraryMissing',
  'modelProcessorOld',
  'modelKilled',
  'modelCardMemory',
  'modelMemory',
  'modelNoCard',
  'modelTemporaryFull',
  'modelFileUnreadable',
] satisfies AppError['code'][]);

/** Whether every further attempt to load would end in this error. */
export function isPermanent({ code }: AppError): boolean {
  return permanent.has(code);
}

/** Reads the output of the program: how far it has loaded, and why it ended. */
export class ModelLog {
  readonly #files: readonly ModelFile[];
  readonly #totalBytes: number;
  #lines: string[] = [];
  #unfinished = '';
  #loadedBytes = 0;
  #current: ModelFile | undefined;
  #begunAt = 0;
  /** llama.cpp prints one dot for each percent of the language model, without a line break. */
  #dots = 0;
  #temporaryFull: AppError | undefined;

  constructor(files: readonly ModelFile[]) {
    this.#files = files;
    this.#totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * The loaded fraction of all bytes, from 0 to 1. The program names each file when it begins to load it. Within a file,
   * the dots or the elapsed part of the file's share of `expectedMs` count, whichever is more.
   */
  progress(now: number, expectedMs: number): number {
    if (this.#totalBytes === 0) return 0;
    const bytes = this.#current?.bytes ?? 0;
    const expectedFileMs = (expectedMs * bytes) / this.#totalBytes;
    const byTime = expectedFileMs === 0 ? 0 : (now - this.#begunAt) / expectedFileMs;
    const part = Math.min(maxFilePart, Math.max(byTime, this.#dots / 100));
    return (this.#loadedBytes + part * bytes) / this.#totalBytes;
  }

  /** The error if the disk has no room for temporary files. The program then keeps running but ends each session. */
  get temporaryFull(): AppError | undefined {
    return this.#temporaryFull;
  }

  append(text: string, now: number): void {
    const lines = `${this.#unfinished}${text}`.split('\n');
    this.#unfinished = (lines.pop() ?? '').slice(-maxLineLength);
    for (const line of lines) this.#read(line.trim().slice(0, maxLineLength), now);
    if (dotsLine.test(this.#unfinished)) this.#dots = this.#unfinished.length;
    this.#lines = this.#lines.slice(-maxKeptLines);
  }

  explain(exit: ModelExit | undefined, program: string): AppError {
    const lines = [...this.#lines, this.#unfinished.trim()].filter((line) => line !== '');
    for (const line of lines.toReversed()) {
      for (const [pattern, toError] of causes) {
        const match = pattern.exec(line);
        if (match !== null) return toError(match);
      }
      if (damagedLine.test(line)) return this.#damagedFile();
    }
    if (
      lines.some((line) =>
        /invalid argument|unrecognized option|unknown option|exec format error/iu.test(line),
      )
    )
      return appError('modelProgramForeign', { path: program });
    if (exit?.signal === 'SIGILL') return appError('modelProcessorOld');
    if (exit?.signal === 'SIGKILL') return appError('modelKilled');
    return appError('modelExited', { line: lines.at(-1) ?? exit?.signal ?? `${exit?.code ?? ''}` });
  }

  /** The file that was being loaded. Before the program names one, that is the first, the language model. */
  #damagedFile(): AppError {
    const file = this.#current ?? this.#files[0];
    return appError('modelFileUnreadable', { name: lastPart(file?.path ?? '') });
  }

  #read(line: string, now: number): void {
    if (line === '') return;
    if (dotsLine.test(line)) this.#dots = line.length;
    this.#lines.push(line);
    const temporaryMatch = temporaryLine.exec(line);
    if (temporaryMatch !== null)
      this.#temporaryFull = appError('modelTemporaryFull', { path: temporaryMatch[1] ?? '' });
    const file = this.#files.find(({ path }) => line.includes(lastPart(path)));
    if (file !== undefined && file !== this.#current) {
      this.#loadedBytes += this.#current?.bytes ?? 0;
      this.#current = file;
      this.#begunAt = now;
      this.#dots = 0;
    }
  }
}

function lastPart(path: string): string {
  return path.split(/[/\\]/u).at(-1) ?? path;
}
