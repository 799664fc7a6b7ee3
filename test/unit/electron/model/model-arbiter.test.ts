import { expect, it, vi } from 'vitest';
import { ModelArbiter } from '../../../../electron/model/model-arbiter.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

/** Enters in the background, and notes who is in. */
function stage() {
  const turns = new ModelArbiter();
  const inside: string[] = [];
  const enter = (name: string): Promise<() => void> => {
    const entering = turns.enter(name.startsWith('talk') ? 'talk' : 'chat');
    void entering.then(() => inside.push(name));
    return entering;
  };
  return { turns, inside, enter };
}

it('the arbiter lets a chat wait for the end of the talk, also while the talk has no session', async () => {
  const { turns, inside, enter } = stage();
  turns.setTalking(true);
  const leave = await enter('talk');
  void enter('chat');
  leave();
  await flushPromises();
  expect(turns.user).toBe('talk');
  const leaveAgain = await enter('talk again');
  leaveAgain();
  await flushPromises();
  expect(inside).toEqual(['talk', 'talk again']);
  turns.setTalking(false);
  await flushPromises();
  expect(inside).toEqual(['talk', 'talk again', 'chat']);
  expect(turns.user).toBe('chat');
});

it('the arbiter lets a talk wait for the chat, asks the chat to end, and prefers the talk to the next chat', async () => {
  const { turns, inside, enter } = stage();
  const onTalkWaits = vi.fn();
  turns.onTalkWaits(onTalkWaits);
  const leave = await enter('chat');
  expect(onTalkWaits).not.toHaveBeenCalled();
  void enter('talk');
  void enter('next chat');
  await flushPromises();
  expect(onTalkWaits).toHaveBeenCalledTimes(1);
  expect(inside).toEqual(['chat']);
  leave();
  await flushPromises();
  expect(inside).toEqual(['chat', 'talk']);
});

it('the arbiter lets sessions of one mode in together, because the gateway queues them', async () => {
  const { inside, enter } = stage();
  await Promise.all([enter('chat'), enter('chat of another page')]);
  expect(inside).toHaveLength(2);
});
