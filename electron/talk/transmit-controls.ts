import { type Clock, Timer } from '../../shared/ports/clock.ts';
import { isSameJson } from '../../shared/protocol/json.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { PushToTalkMode, TalkControls } from '../../shared/talk/talk-state.ts';
import { TransmitGate } from '../audio/capture/transmit-gate.ts';

/** The one talk key. */
interface PushToTalkKey {
  /** When it went down; nothing while it is up. */
  readonly downSince: number | undefined;
  /** What is said is let through. */
  readonly talking: boolean;
  /** It goes on without the key, until the next press. */
  readonly latched: boolean;
}

/** A key that comes up: somebody let go of it, or nobody knows (the window lost the keyboard). */
type KeyRelease = 'released' | 'lost';

const keyUp: PushToTalkKey = { downSince: undefined, talking: false, latched: false };

/** A shorter press stays on; to say a word takes longer than this. */
const tapMs = 300;

/** The key goes down. While it is down already it is only the system that repeats it. */
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

/** The key comes up. A loss never leaves the microphone open on what was only held. */
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
      // Switched off from elsewhere meanwhile, it is only let go of.
      const taps = kind === 'released' && key.talking && !key.latched && at - key.downSince < tapMs;
      return taps ? { ...up, latched: true } : keyUp;
    }
  }
}

/** From elsewhere, by something that has no up and down: on until it comes again, or the key does. */
function toggleKey(key: PushToTalkKey, mode: PushToTalkMode): PushToTalkKey {
  if (key.talking || mode === 'open') return changeKeyMode(key);
  return { ...key, talking: true, latched: true };
}

/** Another mode begins with nothing let through; a key that is held has to be pressed again. */
function changeKeyMode(key: PushToTalkKey): PushToTalkKey {
  return { ...keyUp, downSince: key.downSince };
}

interface Options {
  readonly talking: PushToTalkMode;
  readonly muted?: boolean | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly changed: (controls: TalkControls) => void;
  /** How old a sample is when it comes here, where that is known. */
  readonly latencyMs?: (() => number) | undefined;
}

/**
 * Some systems repeat a held key as pairs of up and down. No finger is down again so soon; the gate
 * hears on for longer than this after a release anyway.
 */
const repeatWithinMs = 15;
/** The microphone hands over so much at a time. */
const blockMs = 20;

/** The transmit gate between microphone and server, with what opens it: push-to-talk, mute, pause. */
export class TransmitControls {
  readonly gate: TransmitGate;
  readonly #deps: Deps;
  #talking: PushToTalkMode;
  #key: PushToTalkKey = keyUp;
  #muted = false;
  #coughMuted = false;
  #paused = false;
  #passing = false;
  readonly #releasing: Timer;
  #lastEmitted: TalkControls;

  constructor({ talking, muted = false }: Options, deps: Deps) {
    this.#deps = deps;
    this.#releasing = new Timer(deps.clock);
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

  /** Open because the key is down, and not because it was tapped or needs none. */
  get heldOpen(): boolean {
    return this.gate.transmitting && this.#key.talking && !this.#key.latched;
  }

  setTalking(mode: PushToTalkMode): void {
    if (mode === this.#talking) return;
    this.#finishRelease();
    this.#talking = mode;
    this.#key = changeKeyMode(this.#key);
    this.gate.setMode(gateMode(mode));
    this.#apply();
  }

  /** Of the one talk key. A key that is repeated by the system may press again and again. */
  press(): void {
    if (this.#releasing.isSet) return this.#releasing.stop();
    this.#key = pressKey(this.#key, this.#talking, this.#deps.clock.now());
    this.#apply();
  }

  /** `lost` where nobody knows whether the key came up, as when the window loses the keyboard. */
  release(kind: KeyRelease = 'released'): void {
    const at = this.#deps.clock.now();
    if (kind === 'lost') {
      this.#releasing.stop();
      this.#release(at, kind);
    } else if (this.#key.downSince !== undefined) {
      this.#releasing.setOnce(repeatWithinMs, () => this.#release(at, kind));
    }
  }

  /** For what has no up and down: on until it comes again. */
  toggle(): void {
    this.#finishRelease();
    this.#key = toggleKey(this.#key, this.#talking);
    this.#apply();
  }

  setMuted(muted: boolean): void {
    this.#muted = muted;
    this.#apply();
  }

  /** While it is set nothing passes; what was before comes back. */
  setCoughMuted(muted: boolean): void {
    this.#coughMuted = muted;
    this.#apply();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#apply();
  }

  /** After each block: whether it was the microphone's, and on its way to a server. */
  captured(arrives: boolean): void {
    const passing = arrives && this.gate.transmitting;
    if (passing === this.#passing) return;
    this.#passing = passing;
    this.#apply();
  }

  stop(): void {
    this.#releasing.stop();
  }

  #release(at: number, kind: KeyRelease): void {
    this.#key = releaseKey(this.#key, this.#talking, at, kind);
    this.#apply(at);
  }

  #finishRelease(): void {
    if (!this.#releasing.isSet) return;
    this.#releasing.stop();
    this.#key = releaseKey(this.#key, this.#talking, this.#deps.clock.now(), 'released');
  }

  /** What was captured when the key came up, and has not come here yet. */
  #tailSince(at: number): number | undefined {
    const { clock, latencyMs } = this.#deps;
    const latency = latencyMs?.() ?? 0;
    return latency > 0 ? Math.max(0, latency + blockMs - (clock.now() - at)) : undefined;
  }

  #apply(at = this.#deps.clock.now()): void {
    this.gate.setMuted(this.#muted || this.#coughMuted || this.#paused);
    this.gate.setPressed(this.#key.talking, this.#tailSince(at));
    // Closed at once; open again with the next block that goes through.
    if (!this.gate.transmitting) this.#passing = false;
    const view = this.view;
    if (isSameJson(view, this.#lastEmitted)) return;
    this.#lastEmitted = view;
    this.#deps.changed(view);
  }
}

function gateMode(talking: PushToTalkMode): 'open' | 'hold' {
  return talking === 'open' ? 'open' : 'hold';
}
