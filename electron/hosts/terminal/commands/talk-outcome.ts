import type { ExitCode } from '../exit-code.ts';
import { exitCode } from '../exit-code.ts';
import type { ViewEvent } from '../views/terminal-view.ts';
import { exitCodeOf } from './run-session.ts';
import type { SessionClosedEvent } from './run-session.ts';

/** What came of a talk, for the exit code of its command. */
export class TalkOutcome {
  #live = false;
  #answered = false;
  #troubled = false;

  hear(event: ViewEvent): void {
    this.#live ||= event.event === 'state' && event.state === 'live';
    this.#answered ||= event.event === 'text' || event.event === 'audio';
    this.#troubled ||= event.event === 'error';
  }

  exitCode(ending: SessionClosedEvent): ExitCode {
    // Nothing but errors came back: that it ended in peace makes it no talk.
    const inVain = this.#troubled && !this.#answered;
    // Whoever was talked with has been in reach, though nobody may answer by now.
    const lost = this.#live && !ending.orderly;
    return inVain || lost ? exitCode.failed : exitCodeOf(ending);
  }
}
