import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../electron/talk/session/session-event.ts';
import { replaySession } from '../fixtures/replay-tape.ts';
import { storedTape, storedTapes } from '../fixtures/stored-tape.ts';

const folder = join(import.meta.dirname, '../fixtures/tapes');

/** One event a line; of sound its length and its loudness are enough to see a change. */
function lineOf([at, event]: readonly [number, SessionEvent]): string {
  if (event.event !== 'audio') return JSON.stringify({ at, ...event });
  const loudness = event.audio.reduce((sum, sample) => sum + Math.abs(sample), 0);
  const { turn, audio } = event;
  const rounded = Math.round(loudness);
  return JSON.stringify({ at, event: 'audio', turn, samples: audio.length, loudness: rounded });
}

// Recorded once with recordConversation. A change of the events on purpose: `vitest -u`.
describe.each(storedTapes)('the stored tape %s', (name) => {
  it('emits what it has always emitted', async () => {
    const events = await replaySession('/tape', storedTape(name), 1);
    const text = `${events.map(lineOf).join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(join(folder, `${name}.events.ndjson`));
  });
});
