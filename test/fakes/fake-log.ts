import type { Log } from '../../shared/ports/log.ts';

/** Collects lines in the form of the real log. */
export class FakeLog implements Log {
  readonly lines: string[] = [];

  readonly write: Log['write'] = (level, message) => {
    this.lines.push(`parley ${level}: ${message.replaceAll('\n', ' ')}`);
  };
}
