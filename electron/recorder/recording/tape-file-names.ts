import type { Outcome } from '../../ports/outcome.ts';
import { filesOf } from './check-tape.ts';
import { inspectTape } from './inspect-tape.ts';
import type { InspectTapeDeps } from './inspect-tape.ts';
import { playedSoundNames } from './sound-file.ts';
import { tapeFiles } from './tape.ts';

/** What belongs to a tape and is there: whatever else lies in its folder is none of it. */
export async function tapeFileNames(
  folder: string,
  deps: InspectTapeDeps,
): Promise<Outcome<readonly string[]>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { sounds } = inspected.value;
  for (const sound of sounds.values()) sound.close();
  const names = new Set([
    tapeFiles.lines,
    ...playedSoundNames,
    ...sounds.keys(),
    ...filesOf(inspected.value),
  ]);
  const there = [...names].filter((name) => {
    const file = deps.files.openToRead(`${folder}/${name}`);
    if (file.ok) file.value.close();
    return file.ok;
  });
  return { ok: true, value: there };
}
