import type { TalkControls, TalkingMode } from '../../shared/talk/talk-controls.ts';
import { inputRate } from '../../shared/protocol/limits.ts';
import { TalkGate } from '../audio/talk-gate.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationOptions } from './conversation.ts';
import { changeMode, keyUp, press, release, toggle } from './talk-key.ts';
import type { KeyUp, TalkKey } from './talk-key.ts';

type Options = Pick<ConversationOptions, 'talking' | 'muted'>;

interface Needs {
  readonly clock: Clock;
  readonly changed: (controls: TalkControls) => void;
}

/**
 * Some systems repeat a held key as pairs of up and down. No finger is down again so soon; the gate
 * hears on for longer than this after a release anyway.
 */
const repeatWithinMs = 30;

/** The gate between microphone and server, and what a person does to it. */
export class Controls {
  readonly gate: TalkGate;
  readonly #needs: Needs;
  #talking: TalkingMode;
  #key: TalkKey = keyUp;
  #muted = false;
  #coughMuted = false;
  #paused = false;
  #cancelRelease: (() => void) | undefined;
  #told: TalkControls;

  constructor({ talking, muted = false }: Options, needs: Needs) {
    this.#needs = needs;
    this.#talking = talking;
    this.gate = new TalkGate({ rate: inputRate, mode: gateMode(talking) });
    this.#muted = muted;
    this.gate.setMuted(muted);
    this.#told = this.view;
  }

  get view(): TalkControls {
    return {
      talking: this.#talking,
      transmitting: this.gate.transmitting,
      latched: this.#key.latched,
      muted: this.#muted,
      coughMuted: this.#coughMuted,
      paused: this.#paused,
    };
  }

  setTalking(mode: TalkingMode): void {
    if (mode === this.#talking) return;
    this.#finishRelease();
    this.#talking = mode;
    this.#key = changeMode(this.#key);
    this.gate.setMode(gateMode(mode));
    this.#apply();
  }

  press(): void {
    if (this.#cancelRelease !== undefined) {
      this.#forgetRelease();
      return;
    }
    this.#key = press(this.#key, this.#talking, this.#needs.clock.now());
    this.#apply();
  }

  release(how: KeyUp): void {
    const at = this.#needs.clock.now();
    if (how === 'lost') {
      this.#forgetRelease();
      this.#release(at, how);
    } else if (this.#key.downSince !== undefined && this.#cancelRelease === undefined) {
      this.#cancelRelease = this.#needs.clock.after(repeatWithinMs, () => {
        this.#cancelRelease = undefined;
        this.#release(at, how);
      });
    }
  }

  toggle(): void {
    this.#finishRelease();
    this.#key = toggle(this.#key, this.#talking);
    this.#apply();
  }

  setMuted(muted: boolean): void {
    this.#muted = muted;
    this.#apply();
  }

  setCoughMuted(muted: boolean): void {
    this.#coughMuted = muted;
    this.#apply();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#apply();
  }

  stop(): void {
    this.#forgetRelease();
  }

  #release(at: number, how: KeyUp): void {
    this.#key = release(this.#key, this.#talking, at, how);
    this.#apply();
  }

  #finishRelease(): void {
    if (this.#cancelRelease === undefined) return;
    this.#forgetRelease();
    this.#key = release(this.#key, this.#talking, this.#needs.clock.now(), 'released');
  }

  #forgetRelease(): void {
    this.#cancelRelease?.();
    this.#cancelRelease = undefined;
  }

  #apply(): void {
    this.gate.setMuted(this.#muted || this.#coughMuted || this.#paused);
    this.gate.setPressed(this.#key.talking);
    const view = this.view;
    if (isSame(view, this.#told)) return;
    this.#told = view;
    this.#needs.changed(view);
  }
}

function gateMode(talking: TalkingMode): 'open' | 'hold' {
  return talking === 'open' ? 'open' : 'hold';
}

function isSame(one: TalkControls, other: TalkControls): boolean {
  return (
    one.talking === other.talking &&
    one.transmitting === other.transmitting &&
    one.latched === other.latched &&
    one.muted === other.muted &&
    one.coughMuted === other.coughMuted &&
    one.paused === other.paused
  );
}
