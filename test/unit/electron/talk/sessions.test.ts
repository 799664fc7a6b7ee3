import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../../electron/recordings/replay/virtual-clock.ts';
import { FakeFiles } from '../../../fakes/fake-files.ts';
import { FakeSockets } from '../../../fakes/fake-sockets.ts';
import { sessionCore } from '../../../fakes/session-core.ts';

it('the end of Parley cuts the connection of an open talk, and ignores an abandoned replay', async () => {
  const sessions = sessionCore({ clock: createVirtualClock(), files: new FakeFiles() });
  const options = { mode: 'audio', settings: {}, dialect: 'unified', chunkMs: 1000 } as const;
  const [talk, tape] = [new FakeSockets(), new FakeSockets()];
  const emit = (): void => undefined;
  sessions.openSession(options, { sockets: talk, emit });
  sessions.openSession(options, { sockets: tape, clock: createVirtualClock(), emit });
  sessions.cut();
  expect(talk.line.terminated).toBe(true);
  expect(tape.line.terminated).toBe(false);
});
