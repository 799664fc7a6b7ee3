import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { playRandomSession } from '../unit/electron/talk/session/random-session.ts';
import { checkClientFrame } from './document-checks.ts';

const codec = createClientCodec(bufferBase64);
const stages = {
  configure: 'connected',
  append: 'active',
  chat: 'active',
  close: 'active',
} as const;

describe('the frames of a session in random situations', () => {
  it('follow the documentation field by field', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 300; seed += 1) {
      const { scene, mode } = playRandomSession(seed);
      for (const { ask, dialect } of scene.asked) {
        // The documents have no tools, and the model of these stories calls none.
        if (ask.kind === 'toolResult') throw new Error('no call was made');
        const frame: unknown = JSON.parse(codec.encodeClientEvent(ask, dialect));
        const violations = checkClientFrame(frame, dialect, mode, stages[ask.kind]);
        expect(violations, `story ${seed}, ${ask.kind} in ${dialect} ${mode}`).toEqual([]);
        kinds.add(`${ask.kind} ${dialect} ${mode}`);
      }
    }
    // Chat exists in one dialect; everything else must have occurred in both.
    expect(kinds.size).toBe(3 + 2 * 2 * 3);
  });
});
