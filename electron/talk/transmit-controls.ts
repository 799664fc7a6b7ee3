import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { isSameJson } from '../../shared/protocol/json.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { PushToTalkMode, TalkControls } from '../../shared/talk/talk-view.ts';
import { TransmitGate } from '../audio/capture/transmit-gate.ts';

interface PushToTalkKey {
  /** When the key went down; undefined while the key is up. */
  readonly downSince: number | undefined;
  readonly talking: boolean;
  /** Transmission continues without the key until the next press. */
  readonly latched: boolean;
}

/** `lost`: nobody knows whether the key came up, because the window lost the keyboard. */
type KeyRelease = 'released' | 'lost';

const keyUp: PushToTalkKey = { downSince: undefined, talking: false, latched: false };

/** A shorter press latches; saying a word takes longer. */
const tapMs = 300;

/** Handles a key press; repeats of a held key change nothing. */
function pressKey(key: PushToTalkKey, mode: PushToTalkMode, at: number): PushToTalkKey {
  if (key.downSince !== undefined) return key;
  const down: PushToTalkKey = { ...key, downSince: at };
  switch (mode) {
    case 'open':
      return down;
    case 'tap':
      return { ...down, talking: !key.talking, latched: !key.talking };
    case 'hold':
    case 'holdOrTap':
      return { ...down, talking: true };
  }
}

/** Handles a release. In the modes `hold` and `holdOrTap`, a lost key always ends transmission. */
function releaseKey(
  key: PushToTalkKey,
  mode: PushToTalkMode,
  at: number,
  kind: KeyRelease,
): PushToTalkKey {
  if (key.downSince === undefined) return key;
  const up: PushToTalkKey = { ...key, downSince: undefined };
  switch (mode) {
    case 'open':
    case 'tap':
      return up;
    case 'hold':
      return keyUp;
    case 'holdOrTap': {
      // If transmission was switched off meanwhile, a short press does not latch.
      const taps = kind === 'released' && key.talking && !key.latched && at - key.downSince < tapMs;
      return taps ? { ...up, latched: true } : keyUp;
    }
  }
}

/** Starts or stops transmission for a source without press and release events, such as a command. */
function toggleKey(key: PushToTalkKey, mode: PushToTalkMode): PushToTalkKey {
  if (key.talking || mode === 'open') return resetKey(key);
  return { ...key, talking: true, latched: true };
}

/** Ends talking and latching; a held key must be pressed again. */
function resetKey(key: PushToTalkKey): PushToTalkKey {
  return { ...keyUp, downSince: key.downSince };
}

interface Options {
  readonly talking: PushToTalkMode;
  readonly muted?: boolean | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly onChange: (controls: TalkControls) => void;
  /** Age of a sample on arrival, if known. */
  readonly latencyMs?: (() => number) | undefined;
}

/**
 * Some systems repeat a held key as release and press, faster than any finger. A release followed by a press within this time is
 * ignored.
 */
const repeatWithinMs = 15;
/** Block length of microphones. */
const blockMs = 20;

/** Opens and closes the transmit gate by push-to-talk, mute and pause. */
export class TransmitControls {
  readonly gate: TransmitGate;
  readonly #deps: Deps;
  #talking: PushToTalkMode;
  #key: PushToTalkKey = keyUp;
  #muted = false;
  #coughMuted = false;
  #paused = false;
  #passing = false;
  readonly #releaseTimer: Timer;
  #lastEmitted: TalkControls;

  constructor({ talking, muted = false }: Options, deps: Deps) {
    this.#deps = deps;
    this.#releaseTimer = new Timer(deps.clock);
    this.#talking = talking;
    this.gate = new TransmitGate({ rate: inputRate, mode: gateMode(talking) });
    this.#muted = muted;
    this.gate.setMuted(muted);
    this.#lastEmitted = this.view;
  }

  get view(): TalkControls {
    return {
      talking: this.#talking,
      transmitting: this.gate.transmitting,
      passing: this.#passing,
      latched: this.#key.latched,
      muted: this.#muted,
      coughMuted: this.#coughMuted,
      paused: this.#paused,
    };
  }

  /** The microphone is open only because the key is down. */
  get isHeldOpen(): boolean {
    return this.gate.transmitting && this.#key.talking && !this.#key.latched;
  }

  setTalking(mode: PushToTalkMode): void {
    if (mode === this.#talking) return;
    this.#finishRelease();
    this.#talking = mode;
    this.#key = resetKey(this.#key);
    this.gate.setMode(gateMode(mode));
    this.#apply();
  }

  press(): void {
    if (this.#releaseTimer.isSet) return this.#releaseTimer.stop();
    this.#key = pressKey(this.#key, this.#talking, this.#deps.clock.now());
    this.#apply();
  }

  release(kind: KeyRelease = 'released'): void {
    const at = this.#deps.clock.now();
    if (kind === 'lost') {
      this.#releaseTimer.stop();
      this.#release(at, kind);
    } else if (this.#key.downSince !== undefined) {
      this.#releaseTimer.setIfIdle(repeatWithinMs, () => this.#release(at, kind));
    }
  }

  toggle(): void {
    this.#finishRelease();
    this.#key = toggleKey(this.#key, this.#talking);
    this.#apply();
  }

  /** Ends transmission that continues without the key. */
  unlatch(): void {
    if (!this.#key.latched) return;
    this.#key = resetKey(this.#key);
    this.#apply();
  }

  setMuted(muted: boolean): void {
    this.#muted = muted;
    this.#apply();
  }

  /** Blocks transmission while set; the earlier state returns afterwards. */
  setCoughMuted(muted: boolean): void {
    this.#coughMuted = muted;
    this.#apply();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#apply();
  }

  /** Call after each block; `arrives` is true if it came from the microphone and reaches a server. */
  onBlock(arrives: boolean): void {
    const passing = arrives && this.gate.transmitting;
    if (passing === this.#passing) return;
    this.#passing = passing;
    this.#apply();
  }

  stop(): void {
    this.#releaseTimer.stop();
  }

  #release(at: number, kind: KeyRelease): void {
    this.#key = releaseKey(this.#key, this.#talking, at, kind);
    this.#apply(at);
  }

  #finishRelease(): void {
    if (!this.#releaseTimer.isSet) return;
    this.#releaseTimer.stop();
    this.#key = releaseKey(this.#key, this.#talking, this.#deps.clock.now(), 'released');
  }

  /** Milliseconds of sound that was captured before the release and has not arrived yet. */
  #tailSince(at: number): number | undefined {
    const { clock, latencyMs } = this.#deps;
    const latency = latencyMs?.() ?? 0;
    return latency > 0 ? Math.max(0, latency + blockMs - (clock.now() - at)) : undefined;
  }

  #apply(at = this.#deps.clock.now()): void {
    this.gate.setMuted(this.#muted || this.#coughMuted || this.#paused);
    this.gate.setPressed(this.#key.talking, this.#tailSince(at));
    // The next transmitted block sets it again.
    if (!this.gate.transmitting) this.#passing = false;
    const view = this.view;
    if (isSameJson(view, this.#lastEmitted)) return;
    this.#lastEmitted = view;
    this.#deps.onChange(view);
  }
}

function gateMode(talking: PushToTalkMode): 'open' | 'hold' {
  return talking === 'open' ? 'open' : 'hold';
}
