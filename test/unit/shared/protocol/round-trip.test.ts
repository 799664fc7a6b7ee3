import { describe, expect, it } from 'vitest';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { plainBase64 } from '../../../fakes/plain-codec.ts';
import { randomRuns } from '../../../fakes/random-runs.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { RandomClientEvents, randomServerEvent } from './random-events.ts';

const client = createClientCodec(bufferBase64);
const server = createServerCodec(bufferBase64);

describe.each(['unified', 'legacy'] as const)('over the %s dialect', (dialect) => {
  it('any server event arrives as it was sent', () => {
    const random = seeded(5);
    for (let round = 0; round < randomRuns(2000); round += 1) {
      const event = randomServerEvent(random, dialect);
      const frames = server.encodeServerEvent(event, dialect);
      expect(frames.map((frame) => client.decodeServerEvent(frame))).toEqual([event]);
    }
  });

  it('any client event arrives as it was sent', () => {
    const randomEvents = new RandomClientEvents(seeded(6));
    for (let round = 0; round < randomRuns(200); round += 1) {
      const sent = [
        randomEvents.configure(dialect, 'video'),
        randomEvents.append(dialect, 'video'),
        randomEvents.close(),
        ...(dialect === 'unified' ? [randomEvents.chat()] : []),
      ];
      const read = sent.map((event) =>
        server.decodeClientEvent(client.encodeClientEvent(event, dialect), dialect),
      );
      expect(read).toEqual(sent);
    }
  });

  it('both base64 encoders write the same', () => {
    const plain = createClientCodec(plainBase64);
    const randomEvents = new RandomClientEvents(seeded(7));
    const append = randomEvents.append(dialect, 'video');
    expect(plain.encodeClientEvent(append, dialect)).toBe(
      client.encodeClientEvent(append, dialect),
    );
  });
});
