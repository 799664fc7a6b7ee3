import { type AppError, appError } from '../../shared/errors/app-error.ts';
import type { ModelFile } from './model-catalogue.ts';

/** How the process ended. */
export interface ModelExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

const maxKeptLines = 40;
const maxLineLength = 300;

const libraryLine = /error while loading shared libraries: ([^\s:]+)/u;
const fileLine = /failed to open GGUF file '([^']*)'/iu;

/** Lines of llama.cpp and its libraries that name the cause of an end. The first match counts. */
const causes: readonly (readonly [RegExp, (match: RegExpExecArray) => AppError])[] = [
  [libraryLine, ([, name = '']) => appError('modelLibraryMissing', { name })],
  [
    /cudaMalloc failed: out of memory|OutOfDeviceMemory|unable to allocate (?:CUDA|ROCm|Vulkan|Metal)/iu,
    () => appError('modelCardMemory'),
  ],
  [/no CUDA-capable device|CUDA driver version is insufficient/iu, () => appError('modelNoCard')],
  [/std::bad_alloc|failed to allocate .*CPU/iu, () => appError('modelMemory')],
  [/couldn't bind|address already in use/iu, () => appError('modelPortTaken')],
  [
    /failed to write (\S+): No space left/iu,
    ([, path = '']) => appError('modelTemporaryFull', { path }),
  ],
  [fileLine, ([, path = '']) => appError('modelFileUnreadable', { name: lastPart(path) })],
];

/** Reads the output of the program: how far it has loaded, and why it ended. */
export class ModelLog {
  readonly #files: readonly ModelFile[];
  readonly #totalBytes: number;
  #lines: string[] = [];
  #unfinished = '';
  #loadedBytes = 0;
  #current: ModelFile | undefined;

  constructor(files: readonly ModelFile[]) {
    this.#files = files;
    this.#totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Part of the bytes whose files are loaded, from 0 to 1. The program names each file when it begins with it. */
  get progress(): number {
    return this.#totalBytes === 0 ? 0 : this.#loadedBytes / this.#totalBytes;
  }

  append(text: string): void {
    const lines = `${this.#unfinished}${text}`.split('\n');
    this.#unfinished = (lines.pop() ?? '').slice(-maxLineLength);
    for (const line of lines) this.#read(line.trim().slice(0, maxLineLength));
    this.#lines = this.#lines.slice(-maxKeptLines);
  }

  explain(exit: ModelExit | undefined, program: string): AppError {
    const lines = [...this.#lines, this.#unfinished.trim()].filter((line) => line !== '');
    for (const line of lines.toReversed()) {
      for (const [pattern, toError] of causes) {
        const match = pattern.exec(line);
        if (match !== null) return toError(match);
      }
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

  #read(line: string): void {
    if (line === '') return;
    this.#lines.push(line);
    const file = this.#files.find(({ path }) => line.includes(lastPart(path)));
    if (file !== undefined && file !== this.#current) {
      this.#loadedBytes += this.#current?.bytes ?? 0;
      this.#current = file;
    }
  }
}

function lastPart(path: string): string {
  return path.split(/[/\\]/u).at(-1) ?? path;
}
