import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { seeded } from '../fakes/seeded.ts';
import { playRandomSession } from '../unit/electron/talk/session/random-session.ts';
import { RandomClientEvents } from './random-events.ts';
import { checkClientFrame } from './document-checks.ts';
import { invalidFrames } from './invalid-frames.ts';

describe('the independent checker', () => {
  it.each(invalidFrames)(
    'finds the fault of a frame, %s %s %s: %s',
    (dialect, mode, stage, violation, frame) => {
      expect(checkClientFrame(frame, dialect, mode, stage)).toEqual([violation]);
    },
  );

  it('lists all violations of a frame', () => {
    const frame = { type: 'input.append', input: { video_frames: [4], force_listen: 'no' } };
    expect(checkClientFrame(frame, 'unified', 'video', 'connected')).toHaveLength(4);
  });
});

describe('the frames of our codec', () => {
  const { encodeClientEvent } = createClientCodec(bufferBase64);
  const randomEvents = new RandomClientEvents(seeded(11));
  const sessionKinds = [
    ['unified', 'chat'],
    ['unified', 'audio'],
    ['unified', 'video'],
    ['legacy', 'audio'],
    ['legacy', 'video'],
  ] as const;

  it.each(sessionKinds)('match the documentation: %s %s', (dialect, mode) => {
    for (let round = 0; round < 50; round += 1) {
      const steps = [
        ['connected', randomEvents.configure(dialect, mode)],
        ['active', mode === 'chat' ? randomEvents.chat() : randomEvents.append(dialect, mode)],
        ['active', randomEvents.close()],
      ] as const;
      for (const [stage, event] of steps) {
        const frame: unknown = JSON.parse(encodeClientEvent(event, dialect));
        expect(checkClientFrame(frame, dialect, mode, stage)).toEqual([]);
      }
    }
  });
});

const stages = {
  configure: 'connected',
  append: 'active',
  chat: 'active',
  close: 'active',
} as const;

describe('the frames of a session in random situations', () => {
  const { encodeClientEvent } = createClientCodec(bufferBase64);

  it('follow the documentation field by field', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 300; seed += 1) {
      const { harness, mode } = playRandomSession(seed);
      for (const { ask, dialect } of harness.asked) {
        // The documents have no tools, and the random sessions call none.
        if (ask.kind === 'toolResult') throw new Error('no call was made');
        const frame: unknown = JSON.parse(encodeClientEvent(ask, dialect));
        const violations = checkClientFrame(frame, dialect, mode, stages[ask.kind]);
        expect(violations, `seed ${seed}, ${ask.kind} in ${dialect} ${mode}`).toEqual([]);
        kinds.add(`${ask.kind} ${dialect} ${mode}`);
      }
    }
    // Chat exists in one dialect; everything else must have occurred in both.
    expect(kinds.size).toBe(3 + 2 * 2 * 3);
  });
});
