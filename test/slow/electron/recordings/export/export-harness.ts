import { exportTools, openTapeTools } from '../../../../../electron/app/recordings-composition.ts';
import { createFiles } from '../../../../../electron/platform/files/file-storage.ts';
import { unpackTape } from '../../../../../electron/platform/files/zip.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../../../../electron/platform/system/system-clock.ts';
import { ExportOpener } from '../../../../../electron/recordings/export/export-origins.ts';
import type { OpenedExport } from '../../../../../electron/recordings/export/tape-exporter.ts';
import { loadTapeAt as openTapeAt } from '../../../../../electron/recordings/tape/tape-archive.ts';
import { englishTranscript } from '../../../../../shared/i18n/en/core-messages.ts';
import { createClientCodec } from '../../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../../shared/protocol/server-codec.ts';
import { FakeFrames } from '../../../../fakes/fake-pictures.ts';
import { renderDeps } from '../../../../fixtures/stored-tape.ts';

export const exampleTape = (name: 'voice' | 'video' | 'reconnect'): string =>
  new URL(`../../../../../resources/tapes/${name}.parleytape`, import.meta.url).pathname;

/** The app's export services on real files. */
export const exportsOf = () => {
  const files = createFiles();
  const loadTapeAt = (path: string) =>
    openTapeAt(path, { files, base64: bufferBase64, unpack: unpackTape });
  const rendering = () => Promise.resolve(renderDeps);
  const exports = new ExportOpener({
    clock: systemClock,
    files,
    tools: exportTools,
    archive: { loadTapeAt },
    rendering,
    words: () => Promise.resolve(englishTranscript),
  });
  const codecs = {
    serverCodec: createServerCodec(bufferBase64),
    clientCodec: createClientCodec(bufferBase64),
  };
  const tools = openTapeTools({ files, frames: new FakeFrames() }, codecs, { exports, rendering });
  return { openExport: exports.openExport, tapeTools: () => Promise.resolve(tools) };
};

export async function openedExport(path: string): Promise<OpenedExport> {
  const opened = await exportsOf().openExport(path);
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}
