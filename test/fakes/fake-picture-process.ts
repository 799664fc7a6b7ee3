import type { ChildProcessListener, StartChildProcess } from '../../shared/ports/child-process.ts';
import type { PictureRequest } from '../../shared/ports/pictures.ts';

/** A picture process that says and does what its script says, one for each that is started. */
export class FakePictureProcess {
  readonly requests: PictureRequest[] = [];
  readonly #listener: ChildProcessListener;
  killed = false;

  constructor(listener: ChildProcessListener) {
    this.#listener = listener;
  }

  say(message: unknown): void {
    this.#listener.message(message);
  }

  die(): void {
    this.#listener.ended('');
  }
}

/** Starts them, and keeps them for the test to speak through; they are ready at once unless told. */
export function fakePictureProcesses(
  onRequest: (process: FakePictureProcess, request: PictureRequest) => void,
  begin: (process: FakePictureProcess) => void = (process) => {
    process.say({ tell: 'ready' });
  },
): {
  readonly start: StartChildProcess<PictureRequest>;
  readonly started: readonly FakePictureProcess[];
} {
  const started: FakePictureProcess[] = [];
  const start: StartChildProcess<PictureRequest> = (listener) => {
    const process = new FakePictureProcess(listener);
    started.push(process);
    queueMicrotask(() => {
      begin(process);
    });
    return {
      post: (request) => {
        process.requests.push(request);
        queueMicrotask(() => {
          onRequest(process, request);
        });
      },
      kill: () => {
        process.killed = true;
      },
    };
  };
  return { start, started };
}
