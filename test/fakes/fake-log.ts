import type { Log } from '../../shared/ports/log.ts';

/** A log that remembers its lines as the real one would write them. */
export class FakeLog implements Log {
  readonly lines: string[] = [];

  readonly write: Log['write'] = (level, message) => {
    this.lines.push(`parley ${level}: ${message.replaceAll('\n', ' ')}`);
  };
}
