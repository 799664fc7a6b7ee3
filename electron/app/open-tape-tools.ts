import { unpackTape } from '../platform/files/unpack-tape.ts';
import { bufferBase64, startSha256 } from '../platform/system/base64-sha256.ts';
import { TapeTools } from '../recordings/edit/tape-tools.ts';
import type { Machine } from './machine.ts';
import { exportTools, type Tapes } from './recordings.ts';
import type { Servers } from './servers.ts';

/** Composes the terminal's tape tools, which the window does not use. */
export function openTapeTools(
  { files, frames }: Pick<Machine, 'files' | 'frames'>,
  { serverCodec, clientCodec }: Pick<Servers, 'serverCodec' | 'clientCodec'>,
  { exports, rendering }: Pick<Tapes, 'exports' | 'rendering'>,
): TapeTools {
  return new TapeTools({
    files,
    frames,
    base64: bufferBase64,
    digest: startSha256,
    unpack: unpackTape,
    tools: exportTools,
    exports,
    rendering,
    serverCodec,
    clientCodec,
  });
}
