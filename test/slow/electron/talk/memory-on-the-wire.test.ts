import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { workFolder } from '../../../fakes/work-folder.ts';
import { endCores, gatewayCore, patience, say, answered } from './gateway-core.ts';

let folder: string;

beforeEach(() => {
  folder = workFolder()('state');
});

afterEach(endCores);

/** A core that knows where the user lives, and whose page watches the wire. */
async function knowingCore() {
  const core = gatewayCore(folder);
  await core.ask('addSentence', { text: 'I live in Bergen.' });
  await core.ask('watchWire', { on: true });
  const sent = (): string =>
    core
      .payloads('wire')
      .flatMap(({ frames }) => frames)
      .filter(({ direction }) => direction === 'out')
      .map(({ text }) => text)
      .join('\n');
  const talk = async (): Promise<string> => {
    await core.ask('startTalk', { mode: 'audio' });
    await vi.waitFor(() => {
      expect(core.payloads('talkState').at(-1)).toMatchObject({ phase: 'live' });
    }, patience);
    await core.ask('endTalk', undefined);
    await vi.waitFor(() => {
      expect(core.payloads('talkState').at(-1)).toMatchObject({ phase: 'ended' });
      expect(sent()).toContain('session');
    }, patience);
    return sent();
  };
  const chat = async (): Promise<string> => {
    await core.ask('sendChat', say('Hello'));
    await answered(core);
    await vi.waitFor(() => expect(sent()).toContain('Hello'), patience);
    return sent();
  };
  return { ...core, talk, chat };
}

it('a talk sends the memory, and says so to the inspector', async () => {
  const core = await knowingCore();
  const frames = await core.talk();
  expect(frames).toContain('what you know about the user');
  expect(frames).toContain('I live in Bergen.');
  expect(core.payloads('memorySent').at(-1)).toMatchObject({ sentences: 1, leftOut: 0 });
});

it('a chat sends the memory', async () => {
  const frames = await (await knowingCore()).chat();
  expect(frames).toContain('I live in Bergen.');
});

it('nothing of the memory is sent while it is off', async () => {
  const core = await knowingCore();
  await core.ask('changeSettings', { memory: { use: false } });
  expect(await core.talk()).not.toMatch(/Bergen|what you know/u);
  expect(await core.chat()).not.toMatch(/Bergen|what you know/u);
});

it('an interpreter gets nothing of the memory', async () => {
  const core = await knowingCore();
  await core.ask('changeSettings', { assistant: { preset: 'interpreter' } });
  expect(await core.talk()).not.toContain('Bergen');
  expect(await core.chat()).not.toContain('Bergen');
});

it('an incognito talk and an unkept chat send nothing of the memory', async () => {
  const core = await knowingCore();
  await core.ask('setIncognito', { on: true });
  expect(await core.talk()).not.toContain('Bergen');
  await core.ask('beginChat', { unkept: true });
  expect(await core.chat()).not.toContain('Bergen');
});
