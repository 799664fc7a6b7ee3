import type { Clock } from '../../../../shared/ports/clock.ts';
import type { Conversation } from '../../../talk/conversation.ts';
import type { Terminal } from '../terminal-command.ts';
import { redrawKey } from '../typed-keys.ts';
import type { ViewEvent } from '../views/terminal-view.ts';

type Talk = Pick<Conversation, 'controls' | 'interrupt' | 'setPaused'>;

/** Presses of one key that follow each other within this time are auto-repeat. */
const maxRepeatGapMs = 100;
/**
 * The first auto-repeat comes as late as a second press would, so it runs like one. If it has undone a toggle, the next
 * repeat toggles once more.
 */
const maxFirstRepeatMs = 1000;
const toggleKeys: ReadonlySet<string> = new Set(['m', ' ']);

const keyLine = 'm mute · space pause · i interrupt · q end · ? keys';
const keyHelp = [
  'm       mutes and unmutes the microphone; while muted, Parley hears silence',
  'space   pauses and resumes; while paused, nothing is sent, and a running answer finishes',
  'i       interrupts the answer',
  'q       ends the talk, like Ctrl-C',
  'Ctrl-Z  suspends Parley until “fg”',
];

/** Controls a running talk by single keys in the terminal. */
export class KeyboardControls {
  readonly #clock: Clock;
  readonly #emit: (event: ViewEvent) => void;
  /** Listeners for Ctrl-C. The key `q` calls each once. */
  readonly #interruptListeners = new Set<() => void>();
  #talk: Talk | undefined;
  #closeKeys: (() => void) | undefined;
  /** The last press, and its time since the press of the same key before it. */
  #last = { key: '', at: -Infinity, gap: Infinity };

  constructor(clock: Clock, emit: (event: ViewEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Wraps the terminal so that `q` works like Ctrl-C. */
  wrapTerminal(terminal: Terminal): Terminal {
    return {
      ...terminal,
      onInterrupt: (listener) => {
        this.#interruptListeners.add(listener);
        const stopListening = terminal.onInterrupt?.(listener);
        return () => {
          this.#interruptListeners.delete(listener);
          stopListening?.();
        };
      },
    };
  }

  start(talk: Talk, openKeys: Terminal['openKeys']): void {
    this.#talk = talk;
    this.#closeKeys = openKeys?.(this.#onKey);
    if (this.#closeKeys !== undefined) this.#emit({ event: 'keys', lines: [keyLine] });
  }

  readonly close = (): void => {
    this.#closeKeys?.();
  };

  readonly #onKey = (key: string): void => {
    const at = this.#clock.now();
    const last = this.#last;
    const gap = key === last.key ? at - last.at : Infinity;
    const isRepeat = gap < maxRepeatGapMs;
    const wasFirstRepeat = last.gap >= maxRepeatGapMs && last.gap < maxFirstRepeatMs;
    this.#last = { key, at, gap };
    if (this.#talk === undefined) return;
    if (!isRepeat || (wasFirstRepeat && toggleKeys.has(key))) this.#runKey(key, this.#talk);
  };

  #runKey(key: string, talk: Talk): void {
    const { muted, paused } = talk.controls.view;
    switch (key) {
      case 'm':
        talk.controls.setMuted(!muted);
        return;
      case ' ':
        talk.setPaused(!paused);
        return;
      case 'i':
        talk.interrupt();
        return;
      case 'q':
        for (const interrupt of this.#interruptListeners) {
          this.#interruptListeners.delete(interrupt);
          interrupt();
        }
        return;
      case '?':
        this.#emit({ event: 'keys', lines: keyHelp });
        return;
      case redrawKey:
        this.#emit({ event: 'controls', muted, paused });
        return;
      default:
    }
  }
}
