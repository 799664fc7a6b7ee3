import { expect, it } from 'vitest';
import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import { openSession } from '../../../../../electron/talk/session/session.ts';
import type { ServerEvent } from '../../../../../shared/protocol/server-event.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSockets } from '../../../../fakes/fake-sockets.ts';
import { readPlain, writePlain } from '../../../../fakes/plain-codec.ts';
import { collectUnhandledRejections } from '../../../../fakes/collect-unhandled-rejections.ts';

it('a session continues its effects after a listener throws', async () => {
  const sockets = new FakeSockets();
  const heard: SessionEvent['event'][] = [];
  const seen = await collectUnhandledRejections(async () => {
    const session = openSession(
      { mode: 'audio', settings: {}, dialect: 'unified', chunkMs: 1000 },
      {
        sockets,
        clock: new FakeClock(),
        random: () => 0.5,
        rememberDialect: () => undefined,
        codec: {
          encodeClientEvent: (ask, dialect) => writePlain({ ...ask, dialect }),
          decodeServerEvent: (text) => readPlain(text) as ServerEvent,
        },
        emit: ({ event }) => {
          heard.push(event);
          throw new Error('the listener fails');
        },
      },
    );
    session.end();
    await Promise.resolve();
    expect(session.phase).toBe('closed');
  });
  expect(heard.at(-1)).toBe('closed');
  expect(seen).toEqual(heard.map(() => new Error('the listener fails')));
});
