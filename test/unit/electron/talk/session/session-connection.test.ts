import { expect, it } from 'vitest';
import { SessionConnection } from '../../../../../electron/talk/session/session.ts';
import type { SocketListener } from '../../../../../shared/ports/sockets.ts';

it('a session ignores events of an earlier connection', () => {
  const heard: string[] = [];
  const listeners: SocketListener[] = [];
  const connection = new SessionConnection(
    {
      connect: (_, listener) => {
        listeners.push(listener);
        return { send: () => undefined, close: () => undefined, terminate: () => undefined };
      },
    },
    {
      opened: () => heard.push('opened'),
      received: (text) => heard.push(text ?? 'binary'),
      ended: () => heard.push('ended'),
    },
  );
  connection.connect('audio');
  connection.connect('audio');
  const [old, current] = listeners;
  for (const listener of [old, current]) {
    listener?.opened();
    listener?.received(listener === old ? 'old' : 'new');
    listener?.ended({ kind: 'closed', code: 1000, reason: '' });
  }
  expect(heard).toEqual(['opened', 'new', 'ended']);
});
