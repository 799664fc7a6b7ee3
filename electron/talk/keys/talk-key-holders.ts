import { appError, type AppError, done, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Page } from '../../../shared/ipc/page.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { TalkKeyEvent } from '../../../shared/talk/global-key.ts';
import type { Conversation } from '../conversation.ts';

interface Deps {
  readonly clock: Clock;
  /** Runs an action on the active talk. */
  readonly withTalk: (act: (talk: Pick<Conversation, 'controls'>) => void) => Outcome<undefined>;
  /** The microphone was closed although the key was not released. */
  readonly onClosed: (error: AppError) => void;
}

/** A key held this long is probably stuck, or something lies on it. */
const maxHoldMs = 3 * 60_000;

/**
 * Tracks which pages, commands and global keys hold the talk key. If the last holder disappears, the microphone closes.
 */
export class TalkKeyHolders {
  readonly #deps: Deps;
  /** Each holder, with the function that stops listening for its end. */
  readonly #holders = new Map<Page, () => void>();
  readonly #maxHoldTimer: Timer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#maxHoldTimer = new Timer(deps.clock);
  }

  /** A release by any holder counts for all. A loss closes the microphone only if no other holder remains. */
  handle(holder: Page, key: TalkKeyEvent, lost = appError('talkKeyAway')): Outcome<undefined> {
    switch (key) {
      case 'toggle':
        return this.#deps.withTalk(({ controls }) => controls.toggle());
      case 'press': {
        const pressed = this.#deps.withTalk(({ controls }) => controls.press());
        if (pressed.ok) this.#addHolder(holder);
        return pressed;
      }
      case 'release':
        this.forget();
        return this.#deps.withTalk(({ controls }) => controls.release('released'));
      case 'lost':
        this.#removeHolder(holder);
        return this.#holders.size > 0 ? done : this.close(lost);
    }
  }

  /** Closes the microphone if it was open only while held, and reports the error. */
  close(error: AppError): Outcome<undefined> {
    this.forget();
    let closes = false;
    const closed = this.#deps.withTalk(({ controls }) => {
      closes = controls.isHeldOpen;
      controls.release('lost');
    });
    if (closes) this.#deps.onClosed(error);
    return closed;
  }

  /** Forgets all holders, so that a key pressed for one talk is not held for the next. */
  forget(): void {
    for (const holder of this.#holders.keys()) this.#removeHolder(holder);
  }

  #addHolder(holder: Page): void {
    if (this.#holders.has(holder)) return;
    if (this.#holders.size === 0) {
      this.#maxHoldTimer.set(maxHoldMs, () => {
        this.close(appError('talkKeyHeld', { minutes: maxHoldMs / 60_000 }));
      });
    }
    this.#holders.set(holder, () => undefined);
    // Calls back at once if the holder is already gone.
    const forget = holder.whenGone(() => {
      this.handle(holder, 'lost', appError('talkKeyLost'));
    });
    if (this.#holders.has(holder)) this.#holders.set(holder, forget);
  }

  #removeHolder(holder: Page): void {
    this.#holders.get(holder)?.();
    if (this.#holders.delete(holder) && this.#holders.size === 0) this.#maxHoldTimer.stop();
  }
}
