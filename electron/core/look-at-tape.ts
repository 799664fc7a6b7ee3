import { failure } from '../../shared/errors/app-error.ts';
import type { TapedTalkFacts } from '../recorder/history/taped-talk-source.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import { inspectTape } from '../recorder/recording/inspect-tape.ts';

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
