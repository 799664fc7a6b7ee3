import { expect, it } from 'vitest';
import { composeSessions } from '../../../../electron/app/compose-servers.ts';
import { createVirtualClock } from '../../../../electron/recordings/replay/virtual-clock.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { FakeFiles } from '../../../fakes/fake-files.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakeServerMemory } from '../../../fakes/fake-server-memory.ts';
import { FakeSockets } from '../../../fakes/fake-sockets.ts';
import { seeded } from '../../../fakes/seeded.ts';

it('cuts at its end the line of a talk that is not over, and knows nothing of a tape that was left in the middle', async () => {
  const lifetime = new Lifetime('sessions');
  const sessions = composeSessions({
    clock: createVirtualClock(),
    lifetime,
    random: seeded(1),
    files: new FakeFiles(),
    servers: fakeServerMemory(),
    log: new FakeLog(),
    wallNow: undefined,
    versions: {},
    settings: { get: () => defaultSettings },
  });
  const options = { mode: 'audio', settings: {}, dialect: 'unified', chunkMs: 1000 } as const;
  const [talk, tape] = [new FakeSockets(), new FakeSockets()];
  const emit = (): void => undefined;
  sessions.openSession(options, { sockets: talk, emit });
  sessions.openSession(options, { sockets: tape, clock: createVirtualClock(), emit });
  await lifetime.end();
  expect(talk.line.terminated).toBe(true);
  expect(tape.line.terminated).toBe(false);
});
