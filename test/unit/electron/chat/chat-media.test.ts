import { describe, expect, it, vi } from 'vitest';
import { FakePictures } from '../../../fakes/fake-pictures.ts';
import { openChatControllerStage } from './chat-controller-stage.ts';
import { words } from './chat-session-stage.ts';

describe('pictures of many conversations', () => {
  const picture = FakePictures.draw({ width: 640, height: 480, colours: ['red'] });

  async function conversations(keep: boolean) {
    const stage = await openChatControllerStage({ keep, maxMediaBytes: 2 * picture.length });
    const { desk, pass, store } = stage;
    const media: string[] = [];
    const chats: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const attached = await desk.attachments.addFile('red.jpg', picture);
      if (!attached.ok) throw new Error(attached.problem);
      media.push(attached.value.part.media);
      desk.chat.send([attached.value.part, ...words('What do you see?')]);
      await pass(6000);
      chats.push(desk.chat.conversation.id);
      desk.begin();
      await pass(100);
    }
    const read = vi.spyOn(store, 'readMedia');
    return { ...stage, chats, media, read };
  }

  it('go from memory, are read again, and go along with what is asked next', async () => {
    const { desk, pass, answer, chats, media, read } = await conversations(true);
    expect(await desk.media(media[4] ?? '')).toMatchObject({ type: 'image' });
    expect(read).not.toHaveBeenCalled();
    expect(await desk.media(media[0] ?? '')).toMatchObject({ type: 'image' });
    expect(read).toHaveBeenCalledOnce();
    await desk.open(chats[1] ?? '');
    // Looking at all the others takes nothing from the one that is open.
    for (const one of media) await desk.media(one);
    desk.chat.send(words('And what do you see now?'));
    await pass(6000);
    expect(answer().state).toMatchObject({ kind: 'done' });
    const reads = read.mock.calls.length;
    expect(await desk.media(media[1] ?? '')).toMatchObject({ type: 'image' });
    expect(read).toHaveBeenCalledTimes(reads);
    await Promise.all([desk.close(), pass(5000)]);
  });

  it('stay where nothing is kept: they are nowhere else', async () => {
    const { desk, pass, media, read } = await conversations(false);
    for (const one of media) expect(await desk.media(one)).toMatchObject({ type: 'image' });
    expect(read).not.toHaveBeenCalled();
    await Promise.all([desk.close(), pass(5000)]);
  });
});
