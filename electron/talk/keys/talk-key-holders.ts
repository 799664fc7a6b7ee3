import { appError, type AppError, done, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Page } from '../../../shared/ipc/page.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import type { TalkKeyEvent } from '../../../shared/talk/global-key.ts';
import type { Conversation } from '../conversation.ts';

interface Deps {
  readonly clock: Clock;
  /** Does something with the talk there is. */
  readonly with: (act: (talk: Pick<Conversation, 'controls'>) => void) => Outcome<undefined>;
  /** The microphone was closed although nobody had let go. */
  readonly closed: (error: AppError) => void;
}

/** Nobody speaks for longer without a breath; a key that is down for so long is stuck, or lies under a book. */
const maxHoldMs = 3 * 60_000;

/**
 * The one talk key, and who holds it down: pages, the key that works everywhere, commands. Whoever presses
 * may go without letting go; what was only held then never leaves the microphone open.
 */
export class TalkKeyHolders {
  readonly #deps: Deps;
  /** Those who hold it, each with what is no longer waited for when it lets go. */
  readonly #holders = new Map<Page, () => void>();
  readonly #held: Timer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#held = new Timer(deps.clock);
  }

  /** A release is one whoever pressed; a loss closes only when nobody else is known to hold it. */
  handle(holder: Page, key: TalkKeyEvent, lost = appError('talkKeyAway')): Outcome<undefined> {
    switch (key) {
      case 'toggle':
        return this.#deps.with(({ controls }) => controls.toggle());
      case 'press': {
        const pressed = this.#deps.with(({ controls }) => controls.press());
        if (pressed.ok) this.#join(holder);
        return pressed;
      }
      case 'release':
        this.forget();
        return this.#deps.with(({ controls }) => controls.release('released'));
      case 'lost':
        this.#leave(holder);
        return this.#holders.size > 0 ? done : this.close(lost);
    }
  }

  /** Whoever holds it: what was only held is closed, and said to be. */
  close(error: AppError): Outcome<undefined> {
    this.forget();
    let closes = false;
    const closed = this.#deps.with(({ controls }) => {
      closes = controls.heldOpen;
      controls.release('lost');
    });
    if (closes) this.#deps.closed(error);
    return closed;
  }

  /** What was pressed for another talk is not held for the next. */
  forget(): void {
    for (const holder of this.#holders.keys()) this.#leave(holder);
  }

  #join(holder: Page): void {
    if (this.#holders.has(holder)) return;
    if (this.#holders.size === 0) {
      this.#held.set(maxHoldMs, () => {
        this.close(appError('talkKeyHeld', { minutes: maxHoldMs / 60_000 }));
      });
    }
    this.#holders.set(holder, () => undefined);
    // At once where it has gone already; then it is not here any more.
    const forget = holder.whenGone(() => {
      this.handle(holder, 'lost', appError('talkKeyLost'));
    });
    if (this.#holders.has(holder)) this.#holders.set(holder, forget);
  }

  #leave(holder: Page): void {
    this.#holders.get(holder)?.();
    if (this.#holders.delete(holder) && this.#holders.size === 0) this.#held.stop();
  }
}
