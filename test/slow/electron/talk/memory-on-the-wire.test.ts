import { afterEach, expect, it, vi } from 'vitest';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { workFolder } from '../../../fakes/work-folder.ts';
import { endCores, gatewayCore, ownServer, patience, say, untilAnswered } from './gateway-core.ts';
import { EmbeddedGateway } from '../../../../electron/app/servers-composition.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { seeded } from '../../../fakes/seeded.ts';

afterEach(endCores);

/** A core with a sentence about the user in its memory. Its page watches the wire. */
async function coreWithMemory() {
  const core = gatewayCore(workFolder()('state'));
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
    await untilAnswered(core);
    await vi.waitFor(() => expect(sent()).toContain('Hello'), patience);
    return sent();
  };
  return { ...core, sent, framesOfTalk: talk, framesOfChat: chat };
}

it('a talk sends the memory, and the inspector shows it', async () => {
  const core = await coreWithMemory();
  const frames = await core.framesOfTalk();
  expect(frames).toContain('what you know about the user');
  expect(frames).toContain('I live in Bergen.');
  expect(core.payloads('memorySent').at(-1)).toMatchObject({ sentences: 1, leftOut: 0 });
});

it('a chat sends the memory', async () => {
  const frames = await (await coreWithMemory()).framesOfChat();
  expect(frames).toContain('I live in Bergen.');
});

it('a memory that is off is not sent', async () => {
  const core = await coreWithMemory();
  await core.ask('changeSettings', { memory: { use: false } });
  expect(await core.framesOfTalk()).not.toMatch(/Bergen|what you know/u);
  expect(await core.framesOfChat()).not.toMatch(/Bergen|what you know/u);
});

it('an interpreter does not receive the memory', async () => {
  const core = await coreWithMemory();
  await core.ask('changeSettings', { assistant: { preset: 'interpreter' } });
  expect(await core.framesOfTalk()).not.toContain('Bergen');
  expect(await core.framesOfChat()).not.toContain('Bergen');
});

it('an incognito talk and an incognito chat do not send the memory', async () => {
  const core = await coreWithMemory();
  await core.ask('setIncognito', { on: true });
  expect(await core.framesOfTalk()).not.toContain('Bergen');
  await core.ask('beginChat', { incognito: true });
  expect(await core.framesOfChat()).not.toContain('Bergen');
});

/** A core with a kept chat about a lighthouse, and an open chat without messages. */
async function coreWithKeptChat() {
  const core = await coreWithMemory();
  await core.ask('changeSettings', { privacy: { keepChats: true }, memory: { past: true } });
  await core.ask('sendChat', say('The lighthouse of Ona is red.'));
  await untilAnswered(core);
  const { id } = (await core.ask('chat', undefined)).conversation;
  await vi.waitFor(async () => {
    const found = await core.ask('searchHistory', {
      query: 'lighthouse',
      skip: 0,
      count: 5,
      filter: {},
    });
    expect(found.total).toBe(1);
  }, patience);
  await core.ask('beginChat', undefined);
  const question = say('What did I say about the lighthouse?');
  /** Asks about the lighthouse, and returns the passages that the message took along. */
  const sendQuestion = async (leaveOut: readonly { kind: 'chat'; id: string }[] = []) => {
    await core.ask('sendChat', { ...question, leaveOut });
    await untilAnswered(core, 2);
    const [turn] = (await core.ask('chat', undefined)).conversation.turns;
    return turn?.role === 'user' ? turn.past : undefined;
  };
  return { ...core, id, sendQuestion };
}

it('a chat message about an earlier chat sends a passage, and names its chat', async () => {
  const core = await coreWithKeptChat();
  const found = await core.ask('findPast', { text: 'What did I say about the lighthouse?' });
  expect(found).toMatchObject([{ kind: 'chat', id: core.id }]);
  expect(await core.sendQuestion()).toMatchObject([{ kind: 'chat', id: core.id }]);
  await vi.waitFor(() => expect(core.sent()).toMatch(/passages from earlier.*red/su), patience);
});

it('a repeated question sends no passage of a chat that the user deleted, while that can be undone', async () => {
  const core = await coreWithKeptChat();
  await core.sendQuestion();
  const { id: turn = '' } = (await core.ask('chat', undefined)).conversation.turns[0] ?? {};
  await core.ask('withholdHistory', { list: [{ kind: 'chat', id: core.id }], withheld: true });
  await core.ask('retryChat', { turn });
  await untilAnswered(core, 3);
  await core.ask('sendChat', say('Good night.'));
  await vi.waitFor(() => expect(core.sent()).toContain('Good night.'), patience);
  expect(core.sent().match(/passages from earlier/gu)).toHaveLength(1);
});

it('a passage that the user removed from a message is not sent, even if the message is edited', async () => {
  const core = await coreWithKeptChat();
  expect(await core.sendQuestion([{ kind: 'chat', id: core.id }])).toBeUndefined();
  const [turn] = (await core.ask('chat', undefined)).conversation.turns;
  await core.ask('editChat', {
    turn: turn?.id ?? '',
    ...say('What did I say about a lighthouse?'),
  });
  await untilAnswered(core, 3);
  expect(core.sent()).not.toContain('passages from earlier');
});

it('a chat sends no passage while passages are off, in a role without memory, or if it is incognito', async () => {
  const core = await coreWithKeptChat();
  const question = { text: 'What did I say about the lighthouse?' };
  await core.ask('changeSettings', { assistant: { preset: 'interpreter' } });
  expect(await core.ask('findPast', question)).toEqual([]);
  await core.ask('changeSettings', { assistant: { withoutMemory: [] } });
  expect(await core.ask('findPast', question)).toMatchObject([{ kind: 'chat', id: core.id }]);
  await core.ask('beginChat', { incognito: true });
  expect(await core.sendQuestion()).toBeUndefined();
  await core.ask('beginChat', undefined);
  await core.ask('changeSettings', { memory: { past: false } });
  await core.ask('sendChat', say('What did I say about the lighthouse?'));
  await untilAnswered(core, 3);
  expect(core.sent()).not.toContain('passages from earlier');
});

it('a talk sends a passage with its next session, and names its chat', async () => {
  const core = await coreWithKeptChat();
  await core.ask('changeSettings', { privacy: { ownWords: 'whileTalking' } });
  const live = async (sessions: number) =>
    vi.waitFor(() => {
      const states = core.payloads('talkState').filter(({ phase }) => phase === 'live');
      expect(states).toHaveLength(sessions);
    }, patience);
  await core.ask('startTalk', { mode: 'audio' });
  await live(1);
  const text = 'What did I say about the lighthouse?';
  const phrase = { at: 1, seconds: 2, after: undefined, state: 'written', text } as const;
  core.parley.machine.notices.post('userPhrase', { ...phrase, transcribed: 'byMachine' });
  await vi.waitFor(() => {
    const passages = [{ kind: 'chat', id: core.id }];
    expect(core.payloads('talkPassagesChanged').at(-1)).toMatchObject({ passages, isSent: false });
  }, patience);
  expect(core.sent()).not.toContain('passages from earlier');
  await core.ask('endTalk', undefined);
  await vi.waitFor(() => {
    expect(core.payloads('talkState').at(-1)).toMatchObject({ phase: 'ended' });
  }, patience);
  await core.ask('continueTalk', { carry: 'transcript' });
  await live(2);
  await vi.waitFor(() => expect(core.sent()).toMatch(/passages from earlier.*red/su), patience);
  expect(await core.ask('talkPassages', undefined)).toMatchObject({ isSent: true });
});

let end = (): Promise<void> => Promise.resolve();
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
  const { id } = await core.ask('putEndpoint', ownServer);
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
  // At the first try, the idle chat still occupies the only worker.
  await core.until(() => core.questions().length > 0);
  expect(core.questions()).toHaveLength(1);
  expect(core.questions()[0]).toContain('User: My cat is called Tom.');
  expect(core.questions()[0]).toContain('"enable_thinking":false');
});

it('Parley asks the server nothing about a deleted chat until the user undoes that', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(50);
  const { id } = (await core.ask('chat', undefined)).conversation;
  const withhold = (withheld: boolean) =>
    core.ask('withholdHistory', { list: [{ kind: 'chat', id }], withheld });
  await withhold(true);
  await core.pass(150);
  expect(core.questions()).toEqual([]);
  await withhold(false);
  await core.until(() => core.questions().length > 0);
  expect(core.questions()[0]).toContain('User: My cat is called Tom.');
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

it('Parley asks the server nothing about a chat from before the user had everything forgotten', async () => {
  const core = await ownServerCore();
  await core.ask('changeSettings', { privacy: { keepChats: true } });
  await core.ask('sendChat', say('My cat is called Tom.'));
  await core.pass(50);
  await core.ask('removeAllSentences', undefined);
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
