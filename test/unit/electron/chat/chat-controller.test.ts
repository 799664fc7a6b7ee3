import { describe, expect, it, vi, afterEach } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
import { FakeChatStore, chatIndexFromStore } from '../../../fakes/fake-stores.ts';
import { FakePictures } from '../../../fakes/fake-pictures.ts';
import { deferred } from '../../../fakes/promises.ts';
import { OpenThreadHarness, words } from './open-thread-harness.ts';
import { ClockedPlayback } from '../../../../electron/audio/playback/playback.ts';
import { AnswerPlayer } from '../../../../electron/chat/answer-player.ts';
import {
  type ChatController,
  type ChatControllerDeps,
  openChatController,
} from '../../../../electron/chat/chat-controller.ts';
import type { ChatLibrary } from '../../../../electron/chat/chat-library.ts';
import type { GatewayOptions } from '../../../../electron/gateway/gateway-options.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { openSession } from '../../../../electron/talk/session/session.ts';
import type { ChatPatch, AssistantTurn, Turn } from '../../../../shared/chat/chat-thread.ts';
import { chatSettings } from '../../../../shared/settings/assistant-settings.ts';
import type { ServerEvent } from '../../../../shared/protocol/realtime-api.ts';
import { readPlain, writePlain } from '../../../fakes/plain-codec.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { setGatewayScene } from '../gateway/gateway-client.ts';

describe('the chat controller over the embedded gateway', () => {
  it.each(['documented', 'deployed'] as const)(
    'holds a conversation of many turns, with a picture and what was said before (%s)',
    async (profile) => {
      const { controller, pass, answer, event } = await openChatControllerHarness({
        gateway: { profile },
      });
      controller.chat.send(words('Hello'));
      await pass(3000);
      expect(answer()).toMatchObject({
        text: 'Hello, I am the demonstration.',
        state: { kind: 'done', cutShort: false },
      });
      const file = FakePictures.draw({ width: 64, height: 48 });
      const attached = await controller.attachments.addFile('red.jpg', file);
      if (!attached.ok) throw new Error(attached.error.code);
      controller.chat.send([attached.value.part, ...words('What do you see?')]);
      await pass(6000);
      expect(answer().text).toMatch(/^I see a picture of 64 by 48 pixels/u);
      expect(await controller.media(attached.value.part.media)).toMatchObject({ type: 'image' });
      controller.chat.send(words('What did I say before?'));
      await pass(6000);
      expect(answer().text).toContain('"What do you see?"');
      expect(event.filter((one) => one.kind === 'text').length).toBeGreaterThan(5);
    },
  );
});

describe('the chat controller', () => {
  it('never writes an incognito conversation, even after keeping is turned on', async () => {
    const { controller, pass, store } = await openChatControllerHarness();
    controller.begin({ incognito: true });
    controller.chat.send(words('Hello'));
    await pass(3000);
    expect(controller.list()).toMatchObject([{ title: 'Hello' }]);
    expect(await controller.search('demonstration')).toMatchObject({ value: [{}] });
    controller.setKeep(true);
    controller.begin();
    controller.chat.send(words('Kept'));
    await pass(3000);
    await Promise.all([controller.close(), pass(5000)]);
    expect([...store.stored.values()].map(({ text }) => text).join('\n')).not.toContain('Hello');
    expect(store.stored.size).toBe(1);
  });

  it('lists, finds, opens, pins and renames conversations, also after a restart', async () => {
    const { controller, pass, store } = await openChatControllerHarness();
    expect(controller.list()).toEqual([]);
    const before = controller.chat.conversation.id;
    controller.chat.send(words('Hello'));
    await pass(3000);
    controller.begin();
    expect(controller.chat.conversation.turns).toEqual([]);
    expect(controller.list()).toMatchObject([{ id: before, title: 'Hello' }]);
    expect(await controller.search('demonstration')).toMatchObject({ value: [{ id: before }] });
    expect(await controller.open(before)).toMatchObject({ ok: true });
    expect(controller.chat.conversation.turns).toHaveLength(2);
    await controller.pin(before, true);
    await controller.rename(before, 'Greeting');
    controller.chat.send(words('Hello again'));
    await pass(3000);
    await Promise.all([controller.close(), pass(5000)]);
    const later = await openChatControllerHarness({ store, seed: 4 });
    expect(later.controller.list()).toMatchObject([
      { id: before, title: 'Greeting', pinned: true },
    ]);
    await later.controller.open(before);
    expect(later.controller.chat.conversation.turns).toHaveLength(4);
    expect(await later.controller.open('gone')).toMatchObject({ ok: false });
  });

  it('stops the answer of a conversation that the user leaves, and emits nothing more of that answer', async () => {
    const { controller, pass, event, store } = await openChatControllerHarness();
    const { id } = controller.chat.conversation;
    controller.chat.send(words('Hello'));
    await pass(460);
    controller.begin();
    const before = event.length;
    await pass(3000);
    expect(event.slice(before).filter(({ kind }) => kind !== 'list')).toEqual([]);
    expect(store.stored.get(id)?.text).toContain('"stopped"');
  });

  it('deletes one or all conversations, even the open one during an answer', async () => {
    const { controller, pass, store } = await openChatControllerHarness();
    controller.chat.send(words('Hello'));
    await pass(400);
    await Promise.all([controller.remove(controller.chat.conversation.id), pass(3000)]);
    expect(controller.list()).toEqual([]);
    expect(store.stored.size).toBe(0);
    controller.chat.send(words('Hello'));
    await pass(400);
    await Promise.all([controller.removeAll(), pass(3000)]);
    expect(controller.list()).toEqual([]);
    expect(store.stored.size).toBe(0);
  });

  /** Three conversations, of which the first has a picture that only the store has. */
  async function openStored() {
    const store = new FakeChatStore();
    const before = await openChatControllerHarness({ store });
    const file = FakePictures.draw({ width: 64, height: 48 });
    const attached = await before.controller.attachments.addFile('red.jpg', file);
    if (!attached.ok) throw new Error(attached.error.code);
    const ids: string[] = [];
    for (const parts of [[attached.value.part], words('Two'), words('Three')]) {
      before.controller.begin();
      before.controller.chat.send(parts);
      ids.push(before.controller.chat.conversation.id);
      await before.pass(3000);
    }
    await Promise.all([before.controller.close(), before.pass(5000)]);
    const read = deferred();
    const later = await openChatControllerHarness({
      store: Object.assign(store, slowly(store, read.promise)),
    });
    const [withPicture = '', two = '', three = ''] = ids;
    return { ...later, read, withPicture, two, three };
  }

  function slowly({ readMedia }: FakeChatStore, until: Promise<void>) {
    const slow: FakeChatStore['readMedia'] = async (id, name) => {
      await until;
      return readMedia(id, name);
    };
    return { readMedia: slow };
  }

  it('opens the conversation that was requested last, even if reading an earlier one takes longer', async () => {
    const { controller, read, withPicture, two } = await openStored();
    const slow = controller.open(withPicture);
    await controller.open(two);
    read.resolve();
    await slow;
    expect(controller.chat.conversation.id).toBe(two);
  });

  it('deletes a message of the conversation that was open, although another was opened meanwhile', async () => {
    const { controller, pass } = await openChatControllerHarness();
    controller.chat.send(words('Hello'));
    await pass(3000);
    const { id, turns } = controller.chat.conversation;
    controller.begin();
    controller.chat.send(words('Kept'));
    await pass(3000);
    expect(await controller.removeTurn(id, turns[1]?.id ?? '')).toMatchObject({ ok: true });
    expect(controller.chat.conversation.turns).toHaveLength(2);
    expect(await controller.thread(id)).toMatchObject({ value: { turns: [{ role: 'user' }] } });
    const gone = await controller.removeTurn(id, turns[1]?.id ?? '');
    expect(gone).toMatchObject({ error: { code: 'messageGone' } });
  });

  it('ignores changes of a conversation that was deleted', async () => {
    const { controller, pass, event } = await openChatControllerHarness();
    controller.chat.send(words('Hello'));
    await pass(3000);
    const { chat } = controller;
    await Promise.all([controller.remove(chat.conversation.id), pass(3000)]);
    const before = event.length;
    chat.rename('Still here');
    expect(event.slice(before)).toEqual([]);
    expect(controller.list()).toEqual([]);
  });

  it('continues to store messages of a conversation that could not be deleted', async () => {
    const { controller, pass, store, two } = await openStored();
    const remove = vi.spyOn(store, 'remove');
    remove.mockResolvedValue(failure('noPermission', { path: two }));
    expect(await controller.remove(two)).toMatchObject(failure('noPermission', { path: two }));
    await controller.open(two);
    controller.chat.send(words('And now?'));
    await pass(3000);
    expect(store.stored.get(two)?.text).toContain('And now?');
  });

  it('does not open a conversation that was deleted while it was read', async () => {
    const { controller, read, withPicture } = await openStored();
    const slow = controller.open(withPicture);
    await controller.remove(withPicture);
    read.resolve();
    expect(await slow).toMatchObject(failure('chatGone'));
    expect(controller.chat.conversation.id).not.toBe(withPicture);
  });
});

it('the chat controller repeats a question that it takes over with its passages', async () => {
  const formatPast: ChatControllerDeps['formatPast'] = (found) =>
    found.map(({ text }) => text).join();
  const passage = { kind: 'talk', id: 't1', title: 'The lighthouse', at: 7 } as const;
  const before = new OpenThreadHarness({}, { formatPast });
  before.chat.send(words('Which colour was it?'), [{ passage, text: 'It is red.' }]);
  before.chat.stop();
  const { controller } = await openChatControllerHarness();
  controller.adopt(before.chat, before.media);
  const { conversation, past } = controller.chat;
  const after = new OpenThreadHarness({}, { formatPast, conversation, past });
  after.chat.retry(conversation.turns[1]?.id ?? '');
  after.live();
  expect(after.questions.at(-1)?.messages[0]).toMatchObject({ content: 'It is red.' });
});

describe('the pictures of many conversations', () => {
  const picture = FakePictures.draw({ width: 640, height: 480 });

  async function sendPictures(keep: boolean) {
    const harness = await openChatControllerHarness({ keep, maxMediaBytes: 2 * picture.length });
    const { controller, pass, store } = harness;
    const media: string[] = [];
    const chats: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const attached = await controller.attachments.addFile('red.jpg', picture);
      if (!attached.ok) throw new Error(attached.error.code);
      media.push(attached.value.part.media);
      controller.chat.send([attached.value.part, ...words('What do you see?')]);
      await pass(6000);
      chats.push(controller.chat.conversation.id);
      controller.begin();
      await pass(100);
    }
    const read = vi.spyOn(store, 'readMedia');
    return { ...harness, chats, media, read };
  }

  it('are evicted, and read again for the page and for the next question', async () => {
    const { controller, pass, answer, chats, media, read } = await sendPictures(true);
    expect(await controller.media(media[4] ?? '')).toMatchObject({ type: 'image' });
    expect(read).not.toHaveBeenCalled();
    expect(await controller.media(media[0] ?? '')).toMatchObject({ type: 'image' });
    expect(read).toHaveBeenCalledOnce();
    await controller.open(chats[1] ?? '');
    // Reading the other pictures does not evict those of the open conversation.
    for (const one of media) await controller.media(one);
    controller.chat.send(words('And what do you see now?'));
    await pass(6000);
    expect(answer().state).toMatchObject({ kind: 'done' });
    const reads = read.mock.calls.length;
    expect(await controller.media(media[1] ?? '')).toMatchObject({ type: 'image' });
    expect(read).toHaveBeenCalledTimes(reads);
  });

  it('are never evicted if they are not stored, even after their conversation was opened again', async () => {
    const { controller, chats, media, read } = await sendPictures(false);
    for (const id of chats) expect(await controller.open(id)).toMatchObject({ ok: true });
    controller.begin();
    for (const one of media) expect(await controller.media(one)).toMatchObject({ type: 'image' });
    expect(read).not.toHaveBeenCalled();
  });
});

describe('a conversation that two Parleys have open', () => {
  async function openTwice() {
    const first = await openChatControllerHarness();
    first.controller.chat.send(words('One'));
    await first.pass(3000);
    const { id } = first.controller.chat.conversation;
    const second = await openChatControllerHarness({ store: first.store, seed: 4 });
    await second.controller.open(id);
    second.controller.chat.send(words('Theirs'));
    await second.pass(3000);
    const stored = async () => {
      const later = await openChatControllerHarness({ store: first.store, seed: 5 });
      await later.controller.open(id);
      return later.controller.chat.conversation;
    };
    return { ...first, id, stored, turns: () => questions(first.controller.chat.conversation) };
  }

  const questions = ({ turns }: { readonly turns: readonly Turn[] }) =>
    turns.flatMap((turn) =>
      turn.role === 'user' ? turn.parts.map((part) => (part.type === 'text' ? part.text : '')) : [],
    );

  it('keeps the messages of both: the messages of the other Parley become a branch. A search hit opens the branch that has it', async () => {
    const { controller, pass, id, stored, turns } = await openTwice();
    for (const text of ['Ours', 'Again']) {
      controller.chat.send(words(text));
      await pass(3000);
      expect((await stored()).branches.map(questions)).toEqual([['Theirs']]);
    }
    expect(questions(await stored())).toEqual(['One', 'Ours', 'Again']);
    controller.begin();
    await controller.open(id);
    const [branch] = controller.chat.conversation.branches;
    expect(controller.chat.chooseBranch(branch?.id ?? '')).toMatchObject({ ok: true });
    await pass(100);
    expect([turns(), questions(await stored())]).toEqual([['One', 'Theirs'], turns()]);
    expect((await stored()).branches.map(questions)).toEqual([['Ours', 'Again']]);
    const found = await controller.search('Ours');
    controller.begin();
    await controller.open(id, found.ok ? found.value[0]?.turn : '');
    expect([turns(), (await stored()).turns.length]).toEqual([['One', 'Ours', 'Again'], 4]);
  });

  it('shows the messages of the other Parley when it is opened again, and can delete them for good', async () => {
    const { controller, pass, id, stored, turns } = await openTwice();
    controller.begin();
    await controller.open(id);
    expect(turns()).toEqual(['One', 'Theirs']);
    controller.chat.remove(controller.chat.conversation.turns[2]?.id ?? '');
    await pass(100);
    const { turns: kept, branches } = await stored();
    expect([questions({ turns: kept }), branches]).toEqual([['One'], []]);
  });

  it('has the messages of the other Parley at the beginning if the message before them was deleted', async () => {
    const { controller, pass, stored } = await openTwice();
    controller.chat.remove(controller.chat.conversation.turns[0]?.id ?? '');
    await pass(100);
    expect(await stored()).toMatchObject({ turns: [], branches: [{ after: undefined }] });
    expect((await stored()).branches.map(questions)).toEqual([['Theirs']]);
  });
});

/** The initial settings, with the server's own voice. */
const ownVoice = { ...chatSettings.initial, voice: 'none' };

type News = ChatPatch | Parameters<ConstructorParameters<typeof ChatLibrary>[1]['emit']>[0];

interface ChatControllerHarness {
  readonly controller: ChatController;
  readonly event: readonly News[];
  readonly store: FakeChatStore;
  /** Advances the clock, and lets promises settle in between. */
  readonly pass: (milliseconds: number) => Promise<void>;
  readonly answer: () => AssistantTurn;
  readonly heardSamples: () => number;
}

/** Each closes a controller while its clock runs. */
const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** The chat controller over the embedded gateway, which is closed after the test. */
async function openChatControllerHarness({
  keep = true,
  store = new FakeChatStore(),
  gateway = {},
  seed = 3,
  maxMediaBytes,
}: {
  readonly keep?: boolean;
  readonly store?: FakeChatStore;
  readonly gateway?: Partial<GatewayOptions>;
  readonly seed?: number;
  readonly maxMediaBytes?: number;
} = {}): Promise<ChatControllerHarness> {
  const scene = setGatewayScene(gateway);
  const { clock } = scene;
  const random = seeded(seed);
  const event: News[] = [];
  let heardSamples = 0;
  const playback = new ClockedPlayback({
    rate: 24_000,
    onHeard: (samples) => {
      heardSamples += samples.filter((sample) => sample !== 0).length;
    },
  });
  const deps: ChatControllerDeps = {
    openSession: (emit) =>
      openSession(
        { mode: 'chat', settings: {}, dialect: 'auto', chunkMs: 1000 },
        {
          sockets: inProcessSockets(scene.gateway, clock),
          clock,
          random,
          emit,
          rememberDialect: () => undefined,
          codec: {
            encodeClientEvent: (ask, dialect) => writePlain({ ...ask, dialect }),
            decodeServerEvent: (text) => readPlain(text) as ServerEvent,
          },
        },
      ),
    clock,
    wallClock: () => 1_000_000 + clock.now(),
    random,
    player: new AnswerPlayer({ clock, playback }),
    pictures: new FakePictures(),
    store,
    index: chatIndexFromStore(store),
    emit: (one) => {
      event.push(one);
    },
  };
  const controller = await openChatController({ keep, options: ownVoice, maxMediaBytes }, deps);
  const pass = async (milliseconds: number): Promise<void> => {
    for (let at = 0; at < milliseconds; at += 20) {
      clock.advance(20);
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
  };
  closings.push(() => Promise.all([controller.close(), pass(5000)]));
  return {
    controller,
    event,
    store,
    pass,
    answer: () => {
      const turn = controller.chat.conversation.turns.findLast(({ role }) => role === 'assistant');
      if (turn?.role !== 'assistant') throw new Error('The last turn is not an answer.');
      return turn;
    },
    heardSamples: () => heardSamples,
  };
}
