import type { About, HostName } from '../shared/about.ts';
import { Lifetime } from '../shared/lifetime.ts';
import { createNativeParts } from './adapters/native-parts.ts';
import { createStreamLog } from './adapters/stream-log.ts';
import { systemClock } from './adapters/system-clock.ts';
import { answerWith } from './ipc/answer.ts';
import type { Answer } from './ipc/answer.ts';
import { NoticeBoard } from './ipc/notice-board.ts';
import type { Log } from './ports.ts';
import { createHandlers } from './requests.ts';
import { runtimeVersions } from './runtime-versions.ts';

/** Parley without a face: what every host opens and shows in its own way. */
export interface Parley {
  readonly about: About;
  readonly answer: Answer;
  readonly notices: NoticeBoard;
  readonly log: Log;
  /** Hosts register here what they open, and end it when they close. */
  readonly lifetime: Lifetime;
}

/** The one place where parts are joined. */
export function composeParley(
  host: HostName,
  version: string,
  log: Log = createStreamLog(process.stderr),
): Parley {
  const lifetime = new Lifetime(`parley in the ${host} host`);
  const notices = new NoticeBoard();
  const about: About = { name: 'Parley', version, host, runtime: runtimeVersions() };
  const handlers = createHandlers({
    about,
    clock: systemClock,
    nativeParts: createNativeParts(),
    notices,
  });
  return { about, answer: answerWith(handlers, log), notices, log, lifetime };
}
