import { afterEach, expect, it, vi } from 'vitest';
import { createWebSockets } from '../../../../electron/platform/net/web-socket.ts';
import { systemClock } from '../../../../electron/platform/system/system-clock.ts';
import { isRequestName, type RequestName, requests } from '../../../../shared/ipc/contract.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { scriptedServer, type ScriptedServer } from '../../../fakes/scripted-server.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

let core: ReturnType<typeof coreWithFakes>;
let server: ScriptedServer;

afterEach(async () => {
  await core.lifetime.end();
  await server.end();
});

const secrets = ['tok-4f9a2b71c3', 'header-4f9a2b71c3', 'query-4f9a2b71c3', 'address-4f9a2b71c3'];

it('no answer, notice or log line contains a token, header value or query value', async () => {
  // This server repeats everything it received, in a frame and in its close reason.
  server = await scriptedServer({
    accepted: (socket, { headers, url }) => {
      const all = `${JSON.stringify(headers)} ${url ?? ''}`;
      socket.send(JSON.stringify({ type: 'error', error: { code: 'x', message: all } }));
      socket.close(
        1008,
        `${headers.authorization ?? ''} ${String(headers['x-key'])}`.slice(0, 100),
      );
    },
  });
  core = coreWithFakes(workFolder()('state'), systemClock, { connectTo: createWebSockets });
  const { ask, answer, page, posted, log } = core;
  const [token = '', header = '', query = '', address = ''] = secrets;
  const draft = {
    name: 'Hosted',
    kind: 'hosted',
    url: `ws://127.0.0.1:${server.port}/v1/realtime?sig=${address}`,
    dialect: 'auto',
    headers: { 'X-Key': header },
    query: { code: query },
  } as const;
  const { id } = await ask('putEndpoint', draft);
  await ask('setToken', { id, token });
  await ask('changeSettings', { endpoints: { chosen: id } });
  await ask('watchWire', { on: true });

  // Inputs for the requests, some of them invalid. The loop adds a junk input to each request.
  const inputs: Partial<Record<RequestName, unknown[]>> = {
    changeSettings: [{ captions: { size: 30 } }, { endpoints: { list: [draft] } }],
    resetSettings: [{ group: 'captions' }],
    putEndpoint: [
      { ...draft, id },
      { ...draft, headers: { Authorization: token } },
      { ...draft, url: `ws://me:${token}@127.0.0.1/` },
      { ...draft, headers: { 'X-Key': `${header}\n` } },
      { ...draft, query: { code: query.repeat(1000) } },
    ],
    setToken: [
      { id, token },
      { id, token: `${token} with space` },
      { id: 'gone', token },
    ],
    testEndpoint: (['audio', 'video', 'chat'] as const).flatMap((mode) => [
      { server: { id }, mode },
      { server: draft, mode, token },
    ]),
    startTalk: [{ mode: 'audio' }],
    sendChat: [{ parts: [{ type: 'text', text: 'Hello' }] }],
    setChatOptions: [{ ...chatSettings.initial, voice: 'none' }],
    setVisionOptions: [defaultVisionOptions],
    forgetToken: [{ id: 'gone' }],
    removeEndpoint: [{ id: 'gone' }],
    deleteStoredData: [{ kind: 'chats' }],
  };
  const answers: unknown[] = [];
  for (const name of Object.keys(requests).filter(isRequestName)) {
    const given =
      inputs[name] ?? (requests[name].input.safeParse(undefined).success ? [undefined] : []);
    for (const input of [...given, { id, token, junk: secrets }]) {
      // These three wait for sound, and this microphone captures none.
      if (name === 'testSound' || name === 'testRoom' || name === 'recordOwnSound') continue;
      answers.push([name, await answer(name, input, page)]);
    }
  }
  // Other requests of the loop ended the talk and the chat answer at once.
  answers.push(await answer('startTalk', { mode: 'audio' }, page));
  answers.push(await answer('sendChat', { parts: [{ type: 'text', text: 'Hello' }] }, page));
  await vi.waitFor(
    () => {
      expect(posted.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['wire', 'chatPatch', 'talkState', 'settingsChanged']),
      );
      expect(server.requests.length).toBeGreaterThanOrEqual(8);
      expect(JSON.stringify(posted)).toContain('•••');
    },
    { timeout: 15_000, interval: 50 },
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  const everything = JSON.stringify([answers, posted, log.lines]);
  for (const secret of secrets) {
    const at = everything.indexOf(secret);
    expect(everything.slice(Math.max(0, at - 200), at + 60)).not.toContain(secret);
  }
  // The server did receive the secrets, so it could have repeated them.
  const received = JSON.stringify(server.requests.map(({ headers, url }) => [headers, url]));
  for (const secret of secrets) expect(received).toContain(secret);
});
