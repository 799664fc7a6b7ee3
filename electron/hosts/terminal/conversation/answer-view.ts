import type { Clock } from '../../../ports/clock.ts';
import type { SessionEvent } from '../../../session/session-event.ts';
import type { Terminal } from '../terminal-command.ts';
import { chooseView } from '../views/choose-view.ts';
import type { TerminalView } from '../views/terminal-view.ts';

interface Deps {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly clock: Clock;
  /** Its sound, where answers are spoken. */
  readonly played: (samples: Float32Array) => void;
}

/** Shows the answers of a conversation, each by itself; scripts also hear what sessions do between them. */
export class AnswerView {
  readonly #deps: Deps;
  readonly #began: number;
  #view: TerminalView | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#began = deps.clock.now();
    if (deps.json) this.#view = this.#choose();
  }

  begin(): void {
    this.#view ??= this.#choose();
  }

  hear(event: SessionEvent): void {
    if (event.event === 'audio') this.#deps.played(event.audio);
    if (this.#view === undefined || (!this.#deps.json && isToldElsewhere(event))) return;
    const at = this.#deps.clock.now() - this.#began;
    if (event.event === 'audio')
      this.#view.show(at, { event: 'audio', turn: event.turn, samples: event.audio.length });
    else if (event.event === 'listen') this.#view.show(at, { event: 'listen', flushedSamples: 0 });
    else this.#view.show(at, event);
  }

  /** A line was not asked: scripts that wait for its answer learn that none will come. */
  refused(sentence: string): void {
    const at = this.#deps.clock.now() - this.#began;
    if (this.#deps.json) this.#view?.show(at, { event: 'refused', sentence });
    this.#deps.terminal.err(`${sentence}\n`);
  }

  end(): void {
    if (this.#deps.json) return;
    this.#view?.end();
    this.#view = undefined;
  }

  #choose(): TerminalView {
    return chooseView('chat', this.#deps.terminal, this.#deps.json);
  }
}

/** What an answer failed for is said once, when it is over; what cannot be read is said as it comes. */
function isToldElsewhere(event: SessionEvent): boolean {
  if (event.event === 'error') return event.error.code !== 'eventUnreadable';
  return event.event === 'closed';
}
