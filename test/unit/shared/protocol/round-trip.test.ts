import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/adapters/buffer-base64.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { plainBase64 } from '../../../fakes/plain-base64.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { RandomAsks } from './random-asks.ts';
import { randomEvent } from './random-events.ts';
import { howMany } from '../../../fakes/how-many.ts';

const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);

describe.each(['unified', 'legacy'] as const)('over the %s wire', (dialect) => {
  it('any event arrives as it was sent', () => {
    const random = seeded(5);
    for (let round = 0; round < howMany(2000); round += 1) {
      const event = randomEvent(random, dialect);
      const frames = server.encodeEvent(event, dialect);
      expect(frames.map((frame) => client.decodeEvent(frame))).toEqual([event]);
    }
  });

  it('any ask arrives as it was sent', () => {
    const asks = new RandomAsks(seeded(6));
    for (let round = 0; round < howMany(200); round += 1) {
      const sent = [
        asks.configure(dialect, 'video'),
        asks.append(dialect, 'video'),
        asks.close(),
        ...(dialect === 'unified' ? [asks.chat()] : []),
      ];
      const read = sent.map((ask) => server.decodeAsk(client.encodeAsk(ask, dialect), dialect));
      expect(read).toEqual(sent);
    }
  });

  it('the same is written whichever base64 is used', () => {
    const plain = createClientCodec(plainBase64);
    const asks = new RandomAsks(seeded(7));
    const append = asks.append(dialect, 'video');
    expect(plain.encodeAsk(append, dialect)).toBe(client.encodeAsk(append, dialect));
  });
});
