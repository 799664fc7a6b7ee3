import {
  type AppError,
  appError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { ChildProcess, StartChildProcess } from '../../../shared/ports/child-process.ts';
import type { KeyHelperMessage, StartKeyHelper } from '../../../shared/ports/desktop.ts';
import { parseChord, type TalkKeyEvent } from '../../../shared/talk/global-key.ts';
import type { GlobalKeyBackend } from '../../talk/keys/global-key-backend.ts';
import { type KeySystem, opensItsKeys } from '../system/linux-desktop-session.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { isKnownToUiohook } from './uiohook-codes.ts';

/** A helper that has not begun to watch by then never will. */
const startPatience = 10_000;
/** One that does not end is not waited for when Parley ends. */
const endPatience = 2_000;

/** Both ends of a key, by a helper process that watches the keyboard. */
export function createUiohookBackend(
  startHelper: StartKeyHelper,
  system: KeySystem,
): GlobalKeyBackend {
  return {
    name: 'uiohook',
    offered: () => opensItsKeys(system),
    listen: async (chord, hear, ended) => {
      if (!isKnownToUiohook(parseChord(chord).code)) return failure('globalKeyUnknown');
      return new HelperWatch(hear, ended).begin(startHelper(chord));
    },
  };
}

/** One helper, from its start to its end. */
class HelperWatch {
  readonly #hear: (event: TalkKeyEvent) => void;
  readonly #ended: () => void;
  /** Why it cannot watch, or that it does. */
  readonly #started: Promise<AppError | undefined>;
  #settleStart: (fault: AppError | undefined) => void = () => undefined;
  readonly #exited: Promise<void>;
  #settleExit: () => void = () => undefined;
  readonly #held: HeldKeyWatch;
  #helper: ChildProcess<never> | undefined;
  #phase: 'starting' | 'watching' | 'over' = 'starting';
  #isDown = false;

  constructor(hear: (event: TalkKeyEvent) => void, ended: () => void) {
    this.#hear = hear;
    this.#ended = ended;
    this.#held = new HeldKeyWatch(() => {
      this.#helper?.kill();
      this.#exit();
    });
    this.#started = new Promise((resolve) => (this.#settleStart = resolve));
    this.#exited = new Promise((resolve) => (this.#settleExit = resolve));
  }

  async begin(start: StartChildProcess<never>): Promise<Outcome<() => Promise<void>>> {
    this.#helper = start({
      message: (message) => {
        if (isHelperMessage(message)) this.#take(message);
      },
      ended: () => {
        this.#exit();
      },
    });
    const fault = await withTimeout(startPatience, this.#started);
    if (fault === undefined) return { ok: true, value: () => this.#stop() };
    await this.#stop();
    const error =
      fault === timedOut
        ? appError('globalKeyHelperFailed', {}, { detail: 'it did not begin in time' })
        : fault;
    return { ok: false, error };
  }

  #take(message: KeyHelperMessage): void {
    if (this.#phase === 'over') return;
    if (message.kind === 'ready') {
      this.#phase = 'watching';
      this.#settleStart(undefined);
    } else if (message.kind === 'failed') {
      this.#settleStart(helperFault(message));
    } else {
      this.#takeKey(message.event);
    }
  }

  #takeKey(event: 'press' | 'held' | 'release'): void {
    this.#isDown = event !== 'release';
    if (this.#isDown) this.#held.heard();
    else this.#held.end();
    if (event !== 'held') this.#hear(event);
  }

  /** It ended, or says nothing any more, which is as good as ended. */
  #exit(): void {
    const wasWatching = this.#phase === 'watching';
    this.#phase = 'over';
    this.#held.end();
    this.#settleExit();
    this.#settleStart(
      appError('globalKeyHelperFailed', {}, { detail: 'it ended before it began' }),
    );
    if (!wasWatching) return;
    if (this.#isDown) this.#hear('lost');
    this.#ended();
  }

  async #stop(): Promise<void> {
    this.#phase = 'over';
    this.#held.end();
    this.#helper?.kill();
    await withTimeout(endPatience, this.#exited);
  }
}

function helperFault({ code, reason }: KeyHelperMessage & { readonly kind: 'failed' }): AppError {
  const detail = code === '' ? reason : `${code}: ${reason}`;
  return code === 'UIOHOOK_ERROR_AXAPI_DISABLED'
    ? appError('globalKeyForbidden', {}, { detail })
    : appError('globalKeyHelperFailed', {}, { detail });
}

const keyEvents: ReadonlySet<unknown> = new Set(['press', 'held', 'release']);

/** Ours as it is, its word is heard by what holds the microphone: only what can be meant is taken. */
function isHelperMessage(message: unknown): message is KeyHelperMessage {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false;
  if (message.kind === 'ready') return true;
  if (message.kind === 'key') return 'event' in message && keyEvents.has(message.event);
  return message.kind === 'failed' && 'code' in message && 'reason' in message;
}

/** So often it is looked whether the helper has said anything. */
const every = 700;
/** And so often in a row it may have said nothing: one that is late because we were busy is no fault of its own. */
const maxSilent = 3;

/** Notices a helper that says nothing any more while its key is down. */
class HeldKeyWatch {
  readonly #silent: () => void;
  #timer: NodeJS.Timeout | undefined;
  #silentTimes = 0;

  constructor(silent: () => void) {
    this.#silent = silent;
  }

  /** The key is down, as the helper just said, once or again. */
  heard(): void {
    this.#silentTimes = 0;
    this.#timer ??= setInterval(() => {
      this.#look();
    }, every);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    this.#silentTimes += 1;
    if (this.#silentTimes < maxSilent) return;
    this.end();
    this.#silent();
  }
}
