import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EmbeddedGateway } from '../../../../electron/app/servers.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { say } from './gateway-core.ts';

let folder: string;
const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = workFolder()('state');
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A core on a virtual clock, with a server of the user's own that is the embedded gateway. */
async function ownServerCore() {
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
  if (!opened.ok) throw new Error('the gateway did not open');
  const core = coreWithFakes(folder, clock, { connectTo: () => opened.value });
  /** Files are real, so each step of the clock leaves them time. */
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds * 10; at += 1) {
      clock.advance(100);
      if (at % 5 === 0) await wait(1);
    }
  };
  /** Lets time pass until a condition holds; files may take any real time. */
  const until = async (holds: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 500 && !holds(); tries += 1) await pass(1);
  };
  const end = async (): Promise<void> => {
    const ended = core.lifetime.end();
    await pass(10);
    await ended;
    await gateways.end();
  };
  ends.push(end);
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
  const questions = (): readonly string[] =>
    core
      .payloads('wire')
      .flatMap(({ frames }) => frames)
      .filter(({ direction, text }) => direction === 'out' && text.includes('short list of facts'))
      .map(({ text }) => text);
  return { ...core, pass, until, questions };
}

it('the server of a kept chat is asked what to remember', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(50);
  expect(core.questions()).toEqual([]);
  // The idle chat holds the only worker for the first try.
  await core.until(() => core.questions().length > 0);
  expect(core.questions()).toHaveLength(1);
  expect(core.questions()[0]).toContain('User: My cat is called Tom.');
});

it('the server is not asked about a chat that is not stored', async () => {
  const core = await ownServerCore();
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(150);
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('beginChat', { unkept: true });
  await core.ask('sendChat', say('My dog is called Rex.'));
  await core.pass(150);
  expect(core.questions().join()).not.toContain('Rex');
});

it('the server is not asked while suggestions are off', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true }, memory: { suggest: 'never' } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(150);
  expect(core.questions()).toEqual([]);
});

it('the server is not asked about a chat while a talk runs', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.until(
    () => existsSync(`${folder}/chats`) && readdirSync(`${folder}/chats`).length > 0,
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
