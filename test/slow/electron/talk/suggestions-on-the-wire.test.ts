import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { EmbeddedGateway } from '../../../../electron/app/servers.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { say } from './gateway-core.ts';

let end: () => Promise<void>;
afterEach(() => end());

/** Opens a core on a virtual clock. Its server is the embedded gateway, set up as a server of the user. */
async function ownServerCore() {
  const folder = workFolder()('state');
  const clock = new FakeClock();
  const gateways = new Lifetime('gateways under test');
  const gateway = new EmbeddedGateway({
    clock,
    wallClock: () => 1_000_000 + clock.now(),
    random: seeded(4),
    pictures: fakePictures(),
    log: new FakeLog(),
    lifetime: gateways,
  });
  const opened = await gateway.open();
  if (!opened.ok) throw new Error('The gateway did not open.');
  const core = coreWithFakes(folder, clock, { connectTo: () => opened.value });
  /** Lets time pass. Files are real, so it also waits for real time. */
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds * 10; at += 1) {
      clock.advance(100);
      if (at % 5 === 0) await wait(1);
    }
  };
  /** Lets time pass until a condition holds. */
  const until = async (holds: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 500 && !holds(); tries += 1) await pass(1);
  };
  end = async (): Promise<void> => {
    const ending = core.lifetime.end();
    await pass(10);
    await ending;
    await gateways.end();
  };
  const { id } = await core.ask('putEndpoint', {
    name: 'Own',
    kind: 'local',
    url: 'ws://127.0.0.1:9',
    dialect: 'unified',
    headers: {},
    query: {},
  });
  await core.ask('changeSettings', { endpoints: { chosen: id } });
  await core.ask('watchWire', { on: true });
  /** Requests to the server for facts worth remembering. */
  const questions = (): readonly string[] =>
    core
      .payloads('wire')
      .flatMap(({ frames }) => frames)
      .filter(({ direction, text }) => direction === 'out' && text.includes('short list of facts'))
      .map(({ text }) => text);
  return { ...core, folder, pass, until, questions };
}

it('Parley asks the server of a kept chat what to remember', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(50);
  expect(core.questions()).toEqual([]);
  // The idle chat holds the only worker for the first try.
  await core.until(() => core.questions().length > 0);
  expect(core.questions()).toHaveLength(1);
  expect(core.questions()[0]).toContain('User: My cat is called Tom.');
  expect(core.questions()[0]).toContain('"enable_thinking":false');
});

it('Parley asks the server nothing about a chat that is not stored', async () => {
  const core = await ownServerCore();
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(150);
  expect(core.questions()).toEqual([]);
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('beginChat', { incognito: true });
  await core.ask('sendChat', say('My dog is called Rex.'));
  await core.pass(150);
  expect(core.questions().join()).not.toContain('Rex');
});

it('Parley asks the server nothing while suggestions are off', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true }, memory: { suggest: 'never' } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(150);
  expect(core.questions()).toEqual([]);
});

it('Parley asks the server about a chat only after a running talk', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.until(
    () => existsSync(`${core.folder}/chats`) && readdirSync(`${core.folder}/chats`).length > 0,
  );
  const started = core.ask('startTalk', { mode: 'audio' });
  await core.pass(3);
  await started;
  await core.pass(90);
  expect(core.questions()).toEqual([]);
  await core.ask('endTalk', undefined);
  await core.until(() => core.questions().length > 0);
  expect(core.questions()).toHaveLength(1);
});
