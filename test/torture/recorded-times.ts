import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tapeFiles } from '../../electron/recordings/tape/tape.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import type { TalkRecord } from '../../shared/recordings/talk-record.ts';

/** Finds wrong times in a talk record, given its maximum duration. */
export function findWrongTimes(record: TalkRecord, maxMs: number): string | undefined {
  const { begunAt, savedAt, events, turns } = record;
  const lasted = savedAt - begunAt;
  if (lasted < 0 || lasted > maxMs) return `lasted ${lasted} ms`;
  const stray = [...events, ...turns].find(({ at }) => at < 0 || at > maxMs);
  if (stray !== undefined) return `has something at ${stray.at} ms`;
  return isInOrder(events.map(({ at }) => at)) ? undefined : 'has its events out of order';
}

/** Finds wrong times in every tape of a folder. A tape may end within a line after a kill. */
export function findWrongTapes(folder: string, maxMs: number): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => {
    const path = join(folder, name, tapeFiles.lines);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const wrong = wrongTape(lines.map(parseJsonObject), maxMs);
    return wrong === undefined ? [] : [`the tape ${name} ${wrong}`];
  });
}

function wrongTape(lines: readonly unknown[], maxMs: number): string | undefined {
  const [head] = lines;
  const recordedAt = isJsonObject(head) ? head['recordedAt'] : undefined;
  if (typeof recordedAt !== 'string' || Number.isNaN(Date.parse(recordedAt)))
    return 'has no time of its recording';
  const times = lines.flatMap((line) =>
    isJsonObject(line) && typeof line['at'] === 'number' ? [line['at']] : [],
  );
  const stray = times.find((at) => at < 0 || at > maxMs);
  if (stray !== undefined) return `has something at ${stray} ms`;
  return isInOrder(times) ? undefined : 'has its lines out of order';
}

function isInOrder(times: readonly number[]): boolean {
  return times.every((at, index) => index === 0 || at >= (times[index - 1] ?? 0));
}
