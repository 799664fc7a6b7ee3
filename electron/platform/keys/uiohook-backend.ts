import {
  type AppError,
  appError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { ChildProcess, StartChildProcess } from '../../../shared/ports/child-process.ts';
import type { KeyHelperMessage, StartKeyHelper } from '../../../shared/ports/desktop.ts';
import { type GlobalKey, parseChord, type TalkKeyEvent } from '../../../shared/talk/global-key.ts';
import type { GlobalKeyBackend } from '../../talk/keys/global-key-backend.ts';
import { type KeySystem, canObserveKeys } from '../system/linux-desktop-session.ts';
import { timedOut, withTimeout } from '../system/system-clock.ts';
import { hasUiohookKey } from './uiohook-codes.ts';

const startTimeoutMs = 10_000;
/** How long a stop waits for the helper's exit. */
const endTimeoutMs = 2_000;

/** Keeps a chord from other programs until the returned function is called. */
type WithholdKey = (chord: string) => Promise<() => void>;

/** Global keys by libuiohook, which runs in a helper process because it may crash. */
export function createUiohookBackend(
  startHelper: StartKeyHelper,
  system: KeySystem,
  withhold: WithholdKey = withholdNothing,
): GlobalKeyBackend {
  return {
    name: 'uiohook',
    isSupported: () => canObserveKeys(system),
    listen: async (keys, onEvent, onEnded) => {
      const observable = keys.filter(({ chord }) => hasUiohookKey(parseChord(chord).code));
      if (observable.length === 0) return failure('globalKeyUnknown');
      const chords = observable.map(({ chord }) => chord).join(',');
      let releases: readonly (() => void)[] = [];
      const releaseKeys = (): void => {
        for (const release of releases) release();
        releases = [];
      };
      const watch = new HelperWatch(observable, onEvent, () => {
        releaseKeys();
        onEnded();
      });
      const started = await watch.begin(startHelper(chords));
      if (!started.ok) return started;
      const withheld = observable.filter(({ isWithheld }) => isWithheld === true);
      releases = await Promise.all(withheld.map(({ chord }) => withhold(chord)));
      if (watch.isOver) releaseKeys();
      const unknown = keys.filter((key) => !observable.includes(key));
      const refused = new Map(unknown.map(({ id }) => [id, appError('globalKeyUnknown')]));
      const stop = async (): Promise<void> => {
        releaseKeys();
        await started.value();
      };
      return { ok: true, value: { refused, stop } };
    },
  };
}

const withholdNothing: WithholdKey = () => Promise.resolve(() => undefined);

class HelperWatch {
  readonly #keys: readonly GlobalKey[];
  readonly #onEvent: (id: string, event: TalkKeyEvent) => void;
  readonly #onEnded: () => void;
  /** Resolves to the failure, or to undefined once the helper watches. */
  readonly #started: Promise<AppError | undefined>;
  #settleStart: (fault: AppError | undefined) => void = () => undefined;
  readonly #exited: Promise<void>;
  #settleExit: () => void = () => undefined;
  readonly #heartbeat: HelperHeartbeat;
  #helper: ChildProcess<never> | undefined;
  #phase: 'starting' | 'watching' | 'over' = 'starting';
  readonly #down = new Set<string>();

  constructor(
    keys: readonly GlobalKey[],
    onEvent: (id: string, event: TalkKeyEvent) => void,
    onEnded: () => void,
  ) {
    this.#keys = keys;
    this.#onEvent = onEvent;
    this.#onEnded = onEnded;
    this.#heartbeat = new HelperHeartbeat(() => {
      this.#helper?.kill();
      this.#exit();
    });
    this.#started = new Promise((resolve) => (this.#settleStart = resolve));
    this.#exited = new Promise((resolve) => (this.#settleExit = resolve));
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  async begin(start: StartChildProcess<never>): Promise<Outcome<() => Promise<void>>> {
    this.#helper = start({
      onMessage: (message) => {
        if (isHelperMessage(message)) this.#handleMessage(message);
      },
      onEnd: () => this.#exit(),
    });
    const fault = await withTimeout(startTimeoutMs, this.#started);
    if (fault === undefined) return { ok: true, value: () => this.#stop() };
    await this.#stop();
    const error =
      fault === timedOut
        ? appError('globalKeyHelperFailed', {}, { detail: 'it did not start in time' })
        : fault;
    return { ok: false, error };
  }

  #handleMessage(message: KeyHelperMessage): void {
    if (this.#phase === 'over') return;
    if (message.kind === 'ready') {
      this.#phase = 'watching';
      this.#settleStart(undefined);
    } else if (message.kind === 'failed') {
      this.#settleStart(toAppError(message));
    } else {
      const id = this.#keys[message.key]?.id;
      if (id !== undefined) this.#handleKey(id, message.event);
    }
  }

  #handleKey(id: string, event: 'press' | 'held' | 'release'): void {
    if (event === 'release') this.#down.delete(id);
    else this.#down.add(id);
    if (this.#down.size > 0) this.#heartbeat.beat();
    else this.#heartbeat.end();
    if (event !== 'held') this.#onEvent(id, event);
  }

  /** Ends the watch, because the helper has exited or does not respond. */
  #exit(): void {
    const wasWatching = this.#phase === 'watching';
    this.#phase = 'over';
    this.#heartbeat.end();
    this.#settleExit();
    this.#settleStart(
      appError('globalKeyHelperFailed', {}, { detail: 'it ended before it started' }),
    );
    if (!wasWatching) return;
    for (const id of this.#down) this.#onEvent(id, 'lost');
    this.#onEnded();
  }

  async #stop(): Promise<void> {
    this.#phase = 'over';
    this.#heartbeat.end();
    this.#helper?.kill();
    await withTimeout(endTimeoutMs, this.#exited);
  }
}

function toAppError({ code, reason }: KeyHelperMessage & { readonly kind: 'failed' }): AppError {
  const detail = code === '' ? reason : `${code}: ${reason}`;
  return code === 'UIOHOOK_ERROR_AXAPI_DISABLED'
    ? appError('globalKeyForbidden', {}, { detail })
    : appError('globalKeyHelperFailed', {}, { detail });
}

const keyEvents: ReadonlySet<unknown> = new Set(['press', 'held', 'release']);

/** Checks a message of the helper, although Parley started it, because its messages open the microphone. */
function isHelperMessage(message: unknown): message is KeyHelperMessage {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return false;
  if (message.kind === 'ready') return true;
  if (message.kind === 'key') {
    return 'key' in message && 'event' in message && keyEvents.has(message.event);
  }
  return message.kind === 'failed' && 'code' in message && 'reason' in message;
}

const checkIntervalMs = 700;
/**
 * A helper without a message for this many checks in a row is unresponsive. A single silent check proves nothing,
 * because this process may read late.
 */
const maxSilentChecks = 3;

/** Detects an unresponsive helper while one of its keys is down. */
class HelperHeartbeat {
  readonly #onSilent: () => void;
  #timer: NodeJS.Timeout | undefined;
  #silentChecks = 0;

  constructor(onSilent: () => void) {
    this.#onSilent = onSilent;
  }

  beat(): void {
    this.#silentChecks = 0;
    this.#timer ??= setInterval(() => this.#check(), checkIntervalMs);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    this.#silentChecks += 1;
    if (this.#silentChecks < maxSilentChecks) return;
    this.end();
    this.#onSilent();
  }
}
