import { expect, it } from 'vitest';
import { lazySockets } from '../../../../electron/talk/sessions.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { FakeSockets } from '../../../fakes/fake-sockets.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { RecordingListener } from '../../../fakes/recording-listener.ts';

it('messages sent before the server is known are sent once it is', async () => {
  const sockets = new FakeSockets();
  const listener = new RecordingListener();
  const socket = lazySockets(() => Promise.resolve({ ok: true, value: sockets })).connect(
    'chat',
    listener,
  );
  socket.send('one');
  socket.close(1000, 'bye');
  await flushPromises();
  socket.send('two');
  expect([sockets.line.mode, sockets.line.sent]).toEqual(['chat', ['one', 'two']]);
  expect(sockets.line.closes).toEqual([{ code: 1000, reason: 'bye' }]);
});

it('an unavailable server ends the socket once, with the reason', async () => {
  const listener = new RecordingListener();
  const found = failure('tokenGone', { name: 'Home' });
  const socket = lazySockets(() => Promise.resolve(found)).connect('chat', listener);
  await flushPromises();
  socket.terminate();
  expect(JSON.stringify(listener.log).split('tokenGone')).toHaveLength(2);
});

it('a socket that is terminated early never connects', async () => {
  const sockets = new FakeSockets();
  const listener = new RecordingListener();
  const socket = lazySockets(() => Promise.resolve({ ok: true, value: sockets })).connect(
    'chat',
    listener,
  );
  socket.terminate();
  await flushPromises();
  expect(sockets.lines).toEqual([]);
  expect(listener.log).toHaveLength(1);
});
