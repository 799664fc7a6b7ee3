import { bufferBase64 } from '../../../../../../electron/adapters/system/buffer-base64.ts';
import { createFrames } from '../../../../../../electron/adapters/pictures/sharp-frames.ts';
import { createFiles } from '../../../../../../electron/adapters/files/file-storage.ts';
import { unpackTape } from '../../../../../../electron/adapters/files/unpack-tape.ts';
import { composeExport } from '../../../../../../electron/core/compose-export.ts';
import { loadTapeAt } from '../../../../../../electron/recorder/recording/load-tape.ts';
import type { OpenedExport } from '../../../../../../electron/recorder/replay/export/tape-exporter.ts';
import { systemClock } from '../../../../../../electron/adapters/system/system-clock.ts';
import { englishTranscript } from '../../../../../../shared/i18n/en/transcript.ts';
import { filmDeps } from '../../../../../unit/electron/recorder/replay/film-stage.ts';

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
