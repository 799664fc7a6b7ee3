import { join } from 'node:path';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { Files } from '../../shared/ports/files.ts';
import { makeScratchFolder } from '../platform/files/scratch-folder.ts';
import { packZip } from '../platform/files/zip-writer.ts';
import type { TapedTalkFacts } from '../recordings/history/taped-talk-source.ts';
import { tapeFileNames } from '../recordings/tape/check-tape.ts';
import { inspectTape } from '../recordings/tape/inspect-tape.ts';
import { tapeFiles } from '../recordings/tape/tape.ts';

type MakeTape<Value> = (into: string) => Promise<Outcome<Value>>;

/** Makes a tape in a new or empty folder, or as one file where that is what it is to be called. */
export async function madeTape<Value>(
  into: string,
  files: Files,
  make: MakeTape<Value>,
): Promise<Outcome<Value>> {
  if (!/\.parleytape$/iu.test(into)) return make(into);
  const { path: scratch, remove } = await makeScratchFolder('made');
  try {
    const made = await make(scratch);
    if (!made.ok) return made;
    const packed = await packTape(scratch, into, files);
    return packed.ok ? made : packed;
  } finally {
    await remove();
  }
}

async function packTape(folder: string, into: string, files: Files): Promise<Outcome<undefined>> {
  const names = await tapeFileNames(folder, { files });
  if (!names.ok) return names;
  const checksums = files.openToRead(`${folder}/${tapeFiles.checksums}`);
  if (checksums.ok) checksums.value.close();
  const all = checksums.ok ? [...names.value, tapeFiles.checksums] : names.value;
  return packZip(
    into,
    all.map((name) => ({ name, path: join(folder, name) })),
  );
}

/** When a talk on a tape was, with whom and how long, without playing it. */
export async function lookAtTape(
  folder: string,
  files: Pick<Files, 'openToRead'>,
): Promise<Outcome<TapedTalkFacts>> {
  const inspected = await inspectTape(folder, { files });
  if (!inspected.ok) return inspected;
  const { header, lines, sounds, damage } = inspected.value;
  for (const sound of sounds.values()) sound.close();
  const { mode, endpoint, recordedAt } = header;
  if (mode === 'chat') return failure('replayOfChat');
  const at = Date.parse(recordedAt);
  return {
    ok: true,
    value: {
      mode,
      endpoint,
      recordedAt: Number.isNaN(at) || at < 0 ? undefined : at,
      seconds: (lines.at(-1)?.line.at ?? 0) / 1000,
      cut: damage !== undefined,
    },
  };
}
