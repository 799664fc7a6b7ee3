import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Frame {
  readonly at: number;
  readonly from?: 'client' | 'gateway';
  readonly text?: string;
}

/** The times from each request to its last answer, by the log of the server. */
export async function requestTimes(folder: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const text = await readFile(join(folder, name), 'utf8');
    let askedAt = NaN;
    for (const line of text.split('\n').slice(0, -1)) {
      const { at, text: frame = '' } = JSON.parse(line) as Frame;
      if (frame.startsWith('{"type":"input.append"')) askedAt = at;
      else if (frame.startsWith('{"type":"response.done"')) times.push(at - askedAt);
    }
  }
  return times;
}
