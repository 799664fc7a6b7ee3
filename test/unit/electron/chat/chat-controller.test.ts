import { failure } from '../../../../shared/errors/app-error.ts';
import { describe, expect, it } from 'vitest';
import { FakeChatStore } from '../../../fakes/fake-chat-store.ts';
import { FakePictures } from '../../../fakes/fake-pictures.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { words } from './chat-session-stage.ts';
import { openChatControllerStage } from './chat-controller-stage.ts';

describe('the desk over the embedded gateway', () => {
  it.each(['documented', 'deployed'] as const)(
    'holds a conversation of many turns, with a picture and what was said before (%s)',
    async (manners) => {
      const { desk, pass, answer, news } = await openChatControllerStage({
        gateway: { profile: manners },
      });
      desk.chat.send(words('Hello'));
      await pass(3000);
      expect(answer()).toMatchObject({
        text: 'Hello, I am the demonstration.',
        state: { kind: 'done', cutShort: false },
      });
      const file = FakePictures.draw({ width: 64, height: 48, colours: ['red'] });
      const attached = await desk.attachments.addFile('red.jpg', file);
      if (!attached.ok) throw new Error(attached.error.code);
      desk.chat.send([attached.value.part, ...words('What do you see?')]);
      await pass(6000);
      expect(answer().text).toMatch(/^I see a picture of .*red/u);
      expect(desk.media(attached.value.part.media)).toMatchObject({ type: 'image' });
      desk.chat.send(words('What did I say before?'));
      await pass(6000);
      expect(answer().text).toContain('"What do you see?"');
      expect(news.filter((one) => one.kind === 'text').length).toBeGreaterThan(5);
      await Promise.all([desk.close(), pass(5000)]);
    },
  );

  it.each(['documented', 'deployed'] as const)(
    'hears an answer once that is not streamed (%s)',
    async (manners) => {
      const { desk, pass, heardSamples } = await openChatControllerStage({
        gateway: { profile: manners },
      });
      desk.chat.setOptions({ ...desk.chat.options, streaming: false, speech: true });
      desk.chat.send(words('Hello'));
      await pass(5000);
      // Five words of 0.4 s each.
      expect(heardSamples()).toBe(48_000);
      await Promise.all([desk.close(), pass(5000)]);
    },
  );

  it('says what a fault of the server means, and the question can be asked again', async () => {
    const faults = [{ kind: 'drop', atStep: 1, session: 1 }] as const;
    const { desk, pass, answer } = await openChatControllerStage({ gateway: { faults } });
    desk.chat.send(words('Hello'));
    await pass(3000);
    expect(answer().state).toMatchObject({
      kind: 'failed',
      error: { code: 'connectionLost' },
    });
    desk.chat.retry(answer().id);
    await pass(3000);
    expect(answer().state).toMatchObject({ kind: 'done' });
    await Promise.all([desk.close(), pass(5000)]);
  });
});

describe('the desk', () => {
  it('lists what was said, goes back to it, and has it after a restart', async () => {
    const { desk, pass, store } = await openChatControllerStage();
    expect(desk.list()).toEqual([]);
    const before = desk.chat.conversation.id;
    desk.chat.send(words('Hello'));
    await pass(3000);
    desk.begin();
    expect(desk.chat.conversation.turns).toEqual([]);
    expect(desk.list()).toMatchObject([{ id: before, title: 'Hello' }]);
    expect(desk.search('demonstration')).toMatchObject([{ id: before }]);
    expect(await desk.open(before)).toMatchObject({ ok: true });
    expect(desk.chat.conversation.turns).toHaveLength(2);
    desk.pin(before, true);
    desk.rename(before, 'Greeting');
    desk.chat.send(words('Hello again'));
    await pass(3000);
    await Promise.all([desk.close(), pass(5000)]);
    const later = await openChatControllerStage({ store, seed: 4 });
    expect(later.desk.list()).toMatchObject([{ id: before, title: 'Greeting', pinned: true }]);
    await later.desk.open(before);
    expect(later.desk.chat.conversation.turns).toHaveLength(4);
    expect(await later.desk.open('gone')).toMatchObject({ ok: false });
    await Promise.all([later.desk.close(), later.pass(5000)]);
  });

  it('stops an answer that is left, and tells nothing more of it', async () => {
    const { desk, pass, news, store } = await openChatControllerStage();
    const { id } = desk.chat.conversation;
    desk.chat.send(words('Hello'));
    await pass(460);
    desk.begin();
    const told = news.length;
    await pass(3000);
    expect(news.slice(told).filter(({ kind }) => kind !== 'list')).toEqual([]);
    expect(store.kept.get(id)?.text).toContain('"stopped"');
    await Promise.all([desk.close(), pass(5000)]);
  });

  it('deletes one or all, also the open one while an answer comes, and nothing comes back', async () => {
    const { desk, pass, store } = await openChatControllerStage();
    desk.chat.send(words('Hello'));
    await pass(400);
    await Promise.all([desk.remove(desk.chat.conversation.id), pass(3000)]);
    expect(desk.list()).toEqual([]);
    expect(store.kept.size).toBe(0);
    desk.chat.send(words('Hello'));
    await pass(400);
    await Promise.all([desk.removeAll(), pass(3000)]);
    expect(desk.list()).toEqual([]);
    expect(store.kept.size).toBe(0);
    await Promise.all([desk.close(), pass(5000)]);
  });

  it('hears nothing more of a conversation that was left or deleted, whoever still holds it', async () => {
    const { desk, pass, news } = await openChatControllerStage();
    desk.chat.send(words('Hello'));
    await pass(3000);
    const { chat } = desk;
    await Promise.all([desk.remove(chat.conversation.id), pass(3000)]);
    const told = news.length;
    chat.rename('Still here');
    expect(news.slice(told)).toEqual([]);
    expect(desk.list()).toEqual([]);
    await Promise.all([desk.close(), pass(5000)]);
  });

  /** Three conversations, of which the first has a picture that only the store has. */
  async function kept() {
    const store = new FakeChatStore();
    const before = await openChatControllerStage({ store });
    const file = FakePictures.draw({ width: 64, height: 48, colours: ['red'] });
    const attached = await before.desk.attachments.addFile('red.jpg', file);
    if (!attached.ok) throw new Error(attached.error.code);
    const ids: string[] = [];
    for (const parts of [[attached.value.part], words('Two'), words('Three')]) {
      before.desk.begin();
      before.desk.chat.send(parts);
      ids.push(before.desk.chat.conversation.id);
      await before.pass(3000);
    }
    await Promise.all([before.desk.close(), before.pass(5000)]);
    const read = deferred();
    const later = await openChatControllerStage({
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

  it('shows what was asked for last, also where what was asked before is found later', async () => {
    const { desk, pass, read, withPicture, two } = await kept();
    const slow = desk.open(withPicture);
    await desk.open(two);
    read.resolve();
    await slow;
    expect(desk.chat.conversation.id).toBe(two);
    await Promise.all([desk.close(), pass(5000)]);
  });

  it('goes on in what the person has begun or gone back to meanwhile', async () => {
    for (const meanwhile of ['begun', 'back'] as const) {
      const { desk, pass, read, withPicture, three } = await kept();
      await desk.open(three);
      const slow = desk.open(withPicture);
      if (meanwhile === 'begun') desk.begin();
      else await desk.open(three);
      read.resolve();
      await slow;
      const { id, turns } = desk.chat.conversation;
      expect(meanwhile === 'begun' ? turns : id).toEqual(meanwhile === 'begun' ? [] : three);
      await Promise.all([desk.close(), pass(5000)]);
    }
  });

  it('does not open what was deleted while it was looked for', async () => {
    const { desk, pass, read, withPicture } = await kept();
    const slow = desk.open(withPicture);
    await desk.remove(withPicture);
    read.resolve();
    expect(await slow).toMatchObject(failure('chatGone'));
    expect(desk.chat.conversation.id).not.toBe(withPicture);
    await Promise.all([desk.close(), pass(5000)]);
  });

  it('writes nothing where nothing is to be kept', async () => {
    const { desk, pass, store } = await openChatControllerStage({ keep: false });
    desk.chat.send(words('Hello'));
    await pass(3000);
    await Promise.all([desk.close(), pass(5000)]);
    expect(store.writes).toBe(0);
    expect(desk.list()).toHaveLength(1);
  });
});
