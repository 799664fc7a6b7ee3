import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { inspectTape } from '../../electron/recordings/tape/inspect-tape.ts';

/** Sound that a tape recorded for one connection, in samples. */
interface TapedSession {
  connection: number;
  sent: number;
  received: number;
}

/** How much sound one tape recorded. */
export interface TapeTotals {
  readonly sessions: readonly TapedSession[];
  /** Sound of all answers that the playhead has passed. */
  readonly heard: number;
  readonly damage: string | undefined;
  readonly gaps: number;
}

/** Reads from the tapes of a folder how much sound was sent, received and heard. */
export async function readTapeTotals(folder: string): Promise<readonly TapeTotals[]> {
  return Promise.all(readdirSync(folder).map((name) => readTapeTotal(join(folder, name))));
}

async function readTapeTotal(folder: string): Promise<TapeTotals> {
  const tape = await inspectTape(folder, { files: createFiles() });
  if (!tape.ok) throw new Error(`${folder}: ${tape.error.code}`);
  const sessions = new Map<number, TapedSession>();
  const heard = new Map<number, number>();
  let gaps = 0;
  for (const { line, references } of tape.value.lines) {
    if (line.dir === 'event') {
      const { kind, turn, samples } = line.event;
      if (kind === 'gap') gaps += 1;
      if (kind === 'heard') heard.set(Number(turn), Number(samples));
    }
    if (line.dir !== 'out' && line.dir !== 'in') continue;
    const { connection = 1, dir } = line;
    const session = sessions.get(connection) ?? { connection, sent: 0, received: 0 };
    sessions.set(connection, session);
    for (const reference of references)
      if ('$sound' in reference) session[dir === 'out' ? 'sent' : 'received'] += reference.samples;
  }
  tape.value.close();
  return {
    sessions: [...sessions.values()].filter(({ sent }) => sent > 0),
    heard: [...heard.values()].reduce((sum, samples) => sum + samples, 0),
    damage: tape.value.damage?.code,
    gaps,
  };
}
