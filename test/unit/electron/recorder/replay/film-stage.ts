import { bufferBase64 } from '../../../../../electron/adapters/system/buffer-base64.ts';
import { TalkPublisher } from '../../../../../electron/controllers/talk-publisher.ts';
import type { Files } from '../../../../../electron/ports/files.ts';
import { openTape } from '../../../../../electron/recorder/recording/open-tape.ts';
import type { OpenTape } from '../../../../../electron/recorder/recording/open-tape.ts';
import type { Tape } from '../../../../../electron/recorder/recording/tape.ts';
import { FilmMaker } from '../../../../../electron/recorder/replay/film-maker.ts';
import type { FilmMakerDeps } from '../../../../../electron/recorder/replay/film-maker-deps.ts';
import { openSession } from '../../../../../electron/session/open-session.ts';
import { englishCarryOver } from '../../../../../shared/i18n/en/carry-over.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../../shared/protocol/server-codec.ts';

export const filmDeps: FilmMakerDeps = {
  codec: createServerCodec(bufferBase64),
  openSession: (options, deps) =>
    openSession(options, {
      ...deps,
      codec: createClientCodec(bufferBase64),
      rememberDialect: () => undefined,
    }),
  openPublisher: (post) => new TalkPublisher(post),
  carryOver: englishCarryOver,
};

export async function tapeIn(folder: string, files: Files): Promise<OpenTape> {
  const tape = await openTape(folder, { files, base64: bufferBase64 });
  if (!tape.ok) throw new Error(JSON.stringify(tape.error));
  return tape.value;
}

/** The whole film of a tape, made in pieces of so many looks at the clock. */
export async function filmOf(tape: Tape, looks = Infinity): Promise<FilmMaker> {
  const { mode } = tape.header;
  if (mode === 'chat') throw new Error('It is of a written conversation.');
  const maker = new FilmMaker(tape, mode, filmDeps);
  for (let more = true; more;) {
    let left = looks;
    more = await maker.make(() => (left -= 1) < 0);
  }
  return maker;
}
