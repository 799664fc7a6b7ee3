import { describe, expect, it, vi } from 'vitest';
import { FakePictures } from '../../../fakes/fake-pictures.ts';
import { openChatControllerStage } from './chat-controller-stage.ts';
import { words } from './chat-session-stage.ts';

describe('pictures of many conversations', () => {
  const picture = FakePictures.draw({ width: 640, height: 480 });

  async function conversations(keep: boolean) {
    const stage = await openChatControllerStage({ keep, maxMediaBytes: 2 * picture.length });
    const { controller, pass, store } = stage;
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
    return { ...stage, chats, media, read };
  }

  it('are evicted, read again, and sent with the next question', async () => {
    const { controller, pass, answer, chats, media, read } = await conversations(true);
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
    await Promise.all([controller.close(), pass(5000)]);
  });

  it('stay in memory while keeping is off, because there is no other copy', async () => {
    const { controller, pass, media, read } = await conversations(false);
    for (const one of media) expect(await controller.media(one)).toMatchObject({ type: 'image' });
    expect(read).not.toHaveBeenCalled();
    await Promise.all([controller.close(), pass(5000)]);
  });
});
