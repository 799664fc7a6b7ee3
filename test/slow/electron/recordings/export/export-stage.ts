import { composeExport } from '../../../../../electron/app/compose-recordings.ts';
import { createFiles } from '../../../../../electron/platform/files/file-storage.ts';
import { unpackTape } from '../../../../../electron/platform/files/unpack-tape.ts';
import { createFrames } from '../../../../../electron/platform/pictures/sharp-pictures.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../../../../electron/platform/system/system-clock.ts';
import type { OpenedExport } from '../../../../../electron/recordings/export/tape-exporter.ts';
import { loadTapeAt } from '../../../../../electron/recordings/tape/open-tape.ts';
import { englishTranscript } from '../../../../../shared/i18n/en/core-messages.ts';
import { filmDeps } from '../../../../unit/electron/recordings/replay/film-stage.ts';

export const exampleTape = (name: 'voice' | 'video' | 'reconnect'): string =>
  new URL(`../../../../../../resources/tapes/${name}.parleytape`, import.meta.url).pathname;

/** The very services of an export, over real files. */
export const exportsOf = () => {
  const files = createFiles();
  return composeExport({
    clock: systemClock,
    files,
    frames: createFrames(),
    openSession: filmDeps.openSession,
    serverCodec: filmDeps.codec,
    carryOverMessages: () => Promise.resolve(filmDeps.carryOver),
    transcriptWords: () => Promise.resolve(englishTranscript),
    loadTapeAt: (path) => loadTapeAt(path, { files, base64: bufferBase64, unpack: unpackTape }),
  });
};

export async function openedExport(path: string): Promise<OpenedExport> {
  const opened = await exportsOf().openExport(path);
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}
