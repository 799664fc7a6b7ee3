import { afterEach, expect, it } from 'vitest';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { RecordingListener } from '../fakes/recording-listener.ts';
import { type Script, scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';

let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.end();
  server = undefined;
});

const secrets = ['token-of-mine', 'header-of-mine', 'field-of-mine'];

async function heardFrom(script: Script): Promise<string> {
  server = await scriptedServer(script);
  const listener = new RecordingListener();
  const [token, header = '', field = ''] = secrets;
  const url = `ws://127.0.0.1:${server.port}/v1/realtime`;
  const endpoint = {
    url,
    token,
    headers: { 'X-Key': header },
    query: { key: field },
    insecure: false,
  };
  createWebSockets(endpoint).connect('audio', listener);
  await listener.end();
  return JSON.stringify(listener.log);
}

const repeated = `you sent ${secrets.join(' and ')}`;

it.each<[string, Script]>([
  [
    'a refusal',
    {
      upgrade: (line) => {
        line.end(
          `HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: ${repeated.length}\r\n\r\n${repeated}`,
        );
      },
    },
  ],
  [
    'a frame',
    {
      accepted: (socket) => {
        socket.send(JSON.stringify({ type: 'error', message: repeated }));
        socket.close(1000);
      },
    },
  ],
  [
    'a reason',
    {
      accepted: (socket) => {
        socket.close(1008, repeated);
      },
    },
  ],
])('secrets that a server repeats in %s are redacted', async (_where, script) => {
  const heard = await heardFrom(script);
  expect(heard).toContain('you sent ••• and ••• and •••');
  for (const secret of secrets) expect(heard).not.toContain(secret);
});
