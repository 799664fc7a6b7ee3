import type {
  PictureAnswer,
  PictureProcess,
  PictureRequest,
  StartPictureProcess,
} from '../../ports/picture-process.ts';
import { withTimeout } from '../with-timeout.ts';
import type { timedOut } from '../with-timeout.ts';
import { readPictureAnswer } from './picture-answers.ts';

type Heard = PictureAnswer | { readonly tell: 'ended' };

/** One picture process from its start to its end: its answers are waited for one after the other. */
export class RunningPictureProcess {
  readonly #process: PictureProcess;
  readonly #heard: Heard[] = [];
  #wake: ((heard: Heard) => void) | undefined;
  #ended = false;

  constructor(start: StartPictureProcess) {
    this.#process = start({
      message: (message) => {
        const answer = readPictureAnswer(message);
        // What speaks nonsense is not asked again.
        if (answer === undefined) this.kill();
        else this.#hear(answer);
      },
      ended: () => {
        this.#end();
      },
    });
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  post(request: PictureRequest): void {
    if (!this.#ended) this.#process.post(request);
  }

  /** The next thing it says, or that it has ended, or that the time is over. */
  next(milliseconds: number): Promise<Heard | typeof timedOut> {
    const heard = this.#heard.shift();
    if (heard !== undefined) return Promise.resolve(heard);
    if (this.#ended) return Promise.resolve({ tell: 'ended' });
    return withTimeout(
      milliseconds,
      new Promise((resolve) => {
        this.#wake = resolve;
      }),
    );
  }

  kill(): void {
    this.#process.kill();
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#hear({ tell: 'ended' });
  }

  #hear(heard: Heard): void {
    const wake = this.#wake;
    this.#wake = undefined;
    if (wake === undefined) this.#heard.push(heard);
    else wake(heard);
  }
}
