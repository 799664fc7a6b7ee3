import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../electron/talk/session/session-event.ts';
import { replaySession } from '../fixtures/replay-tape.ts';
import { storedTape, storedTapes } from '../fixtures/stored-tape.ts';

const folder = join(import.meta.dirname, '../fixtures/tapes');

/** One event per line; sound appears as its length and level. */
function lineOf([at, event]: readonly [number, SessionEvent]): string {
  if (event.event !== 'audio') return JSON.stringify({ at, ...event });
  const loudness = event.audio.reduce((sum, sample) => sum + Math.abs(sample), 0);
  const { turn, audio } = event;
  const rounded = Math.round(loudness);
  return JSON.stringify({ at, event: 'audio', turn, samples: audio.length, loudness: rounded });
}

// Recorded once with recordConversation. After an intended change of events run `vitest -u`.
describe.each(storedTapes)('the stored tape %s', (name) => {
  it('emits the same events as when it was recorded', async () => {
    const events = await replaySession('/tape', storedTape(name), 1);
    const text = `${events.map(lineOf).join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(join(folder, `${name}.events.ndjson`));
  });
});
