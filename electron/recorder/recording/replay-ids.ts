import type { JsonObject } from '../../../shared/protocol/json.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { TapeLine } from './tape.ts';

/** The ids of inputs, which a session makes anew each time and servers echo. */
export interface ReplayIds {
  readonly sent: (text: string) => void;
  /** What the server said, with the ids that this session gave to the same inputs. */
  readonly answer: (frame: JsonObject) => JsonObject;
}

/** The first input of the tape is the first of the replay, and so on. */
export function createReplayIds(lines: readonly TapeLine[]): ReplayIds {
  const taped = new Map<string, number>();
  for (const line of lines) {
    const id = line.dir === 'out' && 'frame' in line ? idOf(line.frame) : undefined;
    if (id !== undefined) taped.set(id, taped.size);
  }
  const played: string[] = [];
  return {
    sent: (text) => {
      const id = idOf(parseJsonObject(text) ?? {});
      if (id !== undefined) played.push(id);
    },
    answer: (frame) => {
      const { input_id: id } = frame;
      const now = typeof id === 'string' ? played[taped.get(id) ?? -1] : undefined;
      return now === undefined ? frame : { ...frame, input_id: now };
    },
  };
}

function idOf(frame: JsonObject): string | undefined {
  const { input } = frame;
  const id = frame['input_id'] ?? (isJsonObject(input) ? input['input_id'] : undefined);
  return typeof id === 'string' ? id : undefined;
}
