import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { seeded } from '../fakes/seeded.ts';
import { RandomClientEvents } from '../unit/shared/protocol/random-client-events.ts';
import { checkClientFrame } from './document-checks.ts';
import { invalidFrames } from './invalid-frames.ts';

describe('the independent checker', () => {
  it.each(invalidFrames)('catches, %s %s %s: %s', (dialect, mode, stage, violation, frame) => {
    expect(checkClientFrame(frame, dialect, mode, stage)).toEqual([violation]);
  });

  it('lists all violations of a frame', () => {
    const frame = { type: 'input.append', input: { video_frames: [4], force_listen: 'no' } };
    expect(checkClientFrame(frame, 'unified', 'video', 'connected')).toHaveLength(4);
  });
});

describe('the frames of our codec', () => {
  const { encodeClientEvent } = createClientCodec(bufferBase64);
  const randomEvents = new RandomClientEvents(seeded(11));
  const ways = [
    ['unified', 'chat'],
    ['unified', 'audio'],
    ['unified', 'video'],
    ['legacy', 'audio'],
    ['legacy', 'video'],
  ] as const;

  it.each(ways)('match the documentation: %s %s', (dialect, mode) => {
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
