import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import {
  TapeRenderer,
  type TapeRendererDeps,
} from '../../../../../electron/recordings/replay/tape-renderer.ts';
import { openTape, type OpenTape } from '../../../../../electron/recordings/tape/tape-archive.ts';
import type { Tape } from '../../../../../electron/recordings/tape/tape.ts';
import { openSession } from '../../../../../electron/talk/session/session.ts';
import { englishCarryOver } from '../../../../../shared/i18n/en/prompts.ts';
import type { Files } from '../../../../../shared/ports/files.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../../shared/protocol/server-codec.ts';

export const renderDeps: TapeRendererDeps = {
  codec: createServerCodec(bufferBase64),
  openSession: (options, deps) =>
    openSession(options, {
      ...deps,
      codec: createClientCodec(bufferBase64),
      rememberDialect: () => undefined,
    }),
  carryOver: englishCarryOver,
};

export async function tapeIn(folder: string, files: Files): Promise<OpenTape> {
  const tape = await openTape(folder, { files, base64: bufferBase64 });
  if (!tape.ok) throw new Error(JSON.stringify(tape.error));
  return tape.value;
}

/** Renders a tape in steps of this many clock checks each. */
export async function renderInSteps(tape: Tape, checksPerStep = Infinity): Promise<TapeRenderer> {
  const { mode } = tape.header;
  if (mode === 'chat') throw new Error('It is the tape of a written conversation.');
  const renderer = new TapeRenderer(tape, mode, renderDeps);
  for (let more = true; more;) {
    let left = checksPerStep;
    more = await renderer.render(() => (left -= 1) < 0);
  }
  return renderer;
}
