import { afterEach, describe, expect, it } from 'vitest';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { olderChatMode } from '../../shared/protocol/realtime-api.ts';
import { RecordingListener } from '../fakes/recording-listener.ts';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';

let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.end();
  server = undefined;
});

describe('the older chat path', () => {
  it.each([
    ['/v1/realtime', '/ws/chat?model=m'],
    ['/v1/realtime/', '/ws/chat?model=m'],
    ['/some/proxy/v1/realtime', '/some/proxy/ws/chat?model=m'],
    ['/elsewhere', '/ws/chat?model=m'],
    ['', '/ws/chat?model=m'],
  ])('turns the path %j into %j and sends no mode', async (path, older) => {
    server = await scriptedServer({});
    const url = `ws://127.0.0.1:${server.port}${path}`;
    const listener = new RecordingListener();
    const sockets = createWebSockets({ url, headers: {}, query: { model: 'm' }, insecure: false });
    const socket = sockets.connect(olderChatMode, listener);
    await listener.reached(1);
    expect(server.requests.map((request) => request.url)).toEqual([older]);
    socket.terminate();
    await listener.end();
  });
});
