import { failure } from '../../../../shared/errors/app-error.ts';
import { describe, expect, it } from 'vitest';
import { FakeChatStore } from '../../../fakes/fake-chat-store.ts';
import { FakePictures } from '../../../fakes/fake-pictures.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { words } from './chat-session-stage.ts';
import { openChatControllerStage } from './chat-controller-stage.ts';

describe('the chat controller over the embedded gateway', () => {
  it.each(['documented', 'deployed'] as const)(
    'holds a conversation of many turns, with a picture and what was said before (%s)',
    async (profile) => {
      const { controller, pass, answer, event } = await openChatControllerStage({
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
      await Promise.all([controller.close(), pass(5000)]);
    },
  );

  it.each(['documented', 'deployed'] as const)(
    'hears an answer once that is not streamed (%s)',
    async (profile) => {
      const { controller, pass, heardSamples } = await openChatControllerStage({
        gateway: { profile },
      });
      controller.chat.setOptions({ ...controller.chat.options, streaming: false, speech: true });
      controller.chat.send(words('Hello'));
      await pass(5000);
      // Five words of 0.4 s each.
      expect(heardSamples()).toBe(48_000);
      await Promise.all([controller.close(), pass(5000)]);
    },
  );

  it('hears all of an answer whose sound comes after its end (llama-omni)', async () => {
    const { controller, pass, answer, heardSamples } = await openChatControllerStage({
      gateway: { profile: 'llama-omni' },
    });
    controller.chat.setOptions({ ...controller.chat.options, speech: true });
    controller.chat.send(words('Hello'));
    await pass(8000);
    expect(answer()).toMatchObject({ state: { kind: 'done' }, speechSeconds: 2 });
    expect(heardSamples()).toBe(48_000);
    await Promise.all([controller.close(), pass(5000)]);
  });

  it('explains a server fault, and the question can be retried', async () => {
    const faults = [{ kind: 'drop', atStep: 1, session: 1 }] as const;
    const { controller, pass, answer } = await openChatControllerStage({ gateway: { faults } });
    controller.chat.send(words('Hello'));
    await pass(3000);
    expect(answer().state).toMatchObject({
      kind: 'failed',
      error: { code: 'connectionLost' },
    });
    controller.chat.retry(answer().id);
    await pass(3000);
    expect(answer().state).toMatchObject({ kind: 'done' });
    await Promise.all([controller.close(), pass(5000)]);
  });
});

describe('the chat controller', () => {
  it('never writes a conversation of an incognito talk, even after keeping is switched on', async () => {
    const { controller, pass, store } = await openChatControllerStage();
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

  it('lists conversations, reopens them, and has them after a restart', async () => {
    const { controller, pass, store } = await openChatControllerStage();
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
    const later = await openChatControllerStage({ store, seed: 4 });
    expect(later.controller.list()).toMatchObject([
      { id: before, title: 'Greeting', pinned: true },
    ]);
    await later.controller.open(before);
    expect(later.controller.chat.conversation.turns).toHaveLength(4);
    expect(await later.controller.open('gone')).toMatchObject({ ok: false });
    await Promise.all([later.controller.close(), later.pass(5000)]);
  });

  it('stops the answer of a conversation that is left, and emits nothing more', async () => {
    const { controller, pass, event, store } = await openChatControllerStage();
    const { id } = controller.chat.conversation;
    controller.chat.send(words('Hello'));
    await pass(460);
    controller.begin();
    const told = event.length;
    await pass(3000);
    expect(event.slice(told).filter(({ kind }) => kind !== 'list')).toEqual([]);
    expect(store.stored.get(id)?.text).toContain('"stopped"');
    await Promise.all([controller.close(), pass(5000)]);
  });

  it('deletes one or all, even the open one during an answer, for good', async () => {
    const { controller, pass, store } = await openChatControllerStage();
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
    await Promise.all([controller.close(), pass(5000)]);
  });

  it('ignores changes of a conversation that was left or deleted', async () => {
    const { controller, pass, event } = await openChatControllerStage();
    controller.chat.send(words('Hello'));
    await pass(3000);
    const { chat } = controller;
    await Promise.all([controller.remove(chat.conversation.id), pass(3000)]);
    const told = event.length;
    chat.rename('Still here');
    expect(event.slice(told)).toEqual([]);
    expect(controller.list()).toEqual([]);
    await Promise.all([controller.close(), pass(5000)]);
  });

  /** Three conversations, of which the first has a picture that only the store has. */
  async function openStored() {
    const store = new FakeChatStore();
    const before = await openChatControllerStage({ store });
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

  it('shows the latest request even if an earlier one finishes later', async () => {
    const { controller, pass, read, withPicture, two } = await openStored();
    const slow = controller.open(withPicture);
    await controller.open(two);
    read.resolve();
    await slow;
    expect(controller.chat.conversation.id).toBe(two);
    await Promise.all([controller.close(), pass(5000)]);
  });

  it('stays in the conversation that the user has opened meanwhile', async () => {
    for (const meanwhile of ['begun', 'back'] as const) {
      const { controller, pass, read, withPicture, three } = await openStored();
      await controller.open(three);
      const slow = controller.open(withPicture);
      if (meanwhile === 'begun') controller.begin();
      else await controller.open(three);
      read.resolve();
      await slow;
      const { id, turns } = controller.chat.conversation;
      expect(meanwhile === 'begun' ? turns : id).toEqual(meanwhile === 'begun' ? [] : three);
      await Promise.all([controller.close(), pass(5000)]);
    }
  });

  it('does not open a conversation that was deleted while it was read', async () => {
    const { controller, pass, read, withPicture } = await openStored();
    const slow = controller.open(withPicture);
    await controller.remove(withPicture);
    read.resolve();
    expect(await slow).toMatchObject(failure('chatGone'));
    expect(controller.chat.conversation.id).not.toBe(withPicture);
    await Promise.all([controller.close(), pass(5000)]);
  });

  it('writes nothing while keeping is off', async () => {
    const { controller, pass, store } = await openChatControllerStage({ keep: false });
    controller.chat.send(words('Hello'));
    await pass(3000);
    await Promise.all([controller.close(), pass(5000)]);
    expect(store.writes).toBe(0);
    expect(controller.list()).toHaveLength(1);
  });
});
