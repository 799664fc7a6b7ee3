import type { AppError } from '../../shared/errors/app-error.ts';
import type { ModelDownloadState } from '../../shared/model/local-model.ts';

/** Long enough to smooth out single slow seconds. */
const windowMs = 10_000;
/** A shorter measurement would give a wrong remaining time. */
const minMs = 1500;

/** Average speed over the last ten seconds. */
class DownloadSpeed {
  #samples: readonly { readonly at: number; readonly bytes: number }[] = [];

  /** `bytes` is the total so far. Call it at a regular pace. */
  add(at: number, bytes: number): void {
    const last = this.#samples.at(-1);
    // A download that starts over has no speed.
    const samples = last !== undefined && bytes < last.bytes ? [] : this.#samples;
    this.#samples = [...samples.filter((sample) => at - sample.at <= windowMs), { at, bytes }];
  }

  /** 0 until it is known. */
  get bytesPerSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < minMs) return 0;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }
}

interface ProgressPorts {
  readonly totalBytes: number;
  readonly files: number;
  /** Bytes on the disk when the download begins. */
  readonly bytes: number;
  readonly now: () => number;
  /** The host that serves the files now. */
  readonly mirror: () => string;
  readonly show: (state: ModelDownloadState) => void;
}

/** Computes the progress of a running download. */
export class DownloadProgress {
  readonly #ports: ProgressPorts;
  readonly #speed = new DownloadSpeed();
  #otherBytes: number;
  #file = 1;
  #fileBytes = 0;
  #trouble: AppError | undefined;
  #isTroubleBrief = false;

  constructor(ports: ProgressPorts) {
    this.#ports = ports;
    this.#otherBytes = ports.bytes;
  }

  get fileBytes(): number {
    return this.#fileBytes;
  }

  beginFile(position: number, bytes: number): void {
    this.#file = position;
    // The previous file is complete. Its bytes move to the others; this file's bytes are counted separately.
    this.#otherBytes += this.#fileBytes - bytes;
    this.#fileBytes = bytes;
    this.tick();
  }

  readonly setFileBytes = (bytes: number): void => {
    if (bytes > this.#fileBytes && this.#isTroubleBrief) this.#trouble = undefined;
    this.#fileBytes = bytes;
  };

  /** Shows the failure until bytes come again, or until the download ends if another mirror takes over. */
  fail(error: AppError, isOtherMirror: boolean): void {
    this.#trouble = error;
    this.#isTroubleBrief = !isOtherMirror;
    this.tick();
  }

  /** Measures and shows. */
  readonly tick = (): undefined => {
    const { totalBytes, files, now, mirror, show } = this.#ports;
    const bytes = this.#otherBytes + this.#fileBytes;
    this.#speed.add(now(), bytes);
    const { bytesPerSecond } = this.#speed;
    show({
      kind: 'downloading',
      file: this.#file,
      files,
      bytes,
      totalBytes,
      bytesPerSecond,
      secondsLeft:
        bytesPerSecond > 0 ? Math.ceil((totalBytes - bytes) / bytesPerSecond) : undefined,
      mirror: mirror(),
      ...(this.#trouble && { trouble: this.#trouble }),
    });
  };
}
