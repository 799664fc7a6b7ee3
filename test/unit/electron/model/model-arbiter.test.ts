import { expect, it, vi } from 'vitest';
import { ModelArbiter } from '../../../../electron/model/model-arbiter.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

/** An arbiter, and the names of those that it has let in. */
function stage() {
  const arbiter = new ModelArbiter();
  const inside: string[] = [];
  const enter = (name: string): Promise<() => void> => {
    const entering = arbiter.enter(name.startsWith('talk') ? 'talk' : 'chat');
    void entering.then(() => inside.push(name));
    return entering;
  };
  return { arbiter, inside, enter };
}

it('the arbiter makes a chat wait for the end of the talk, also while the talk has no session', async () => {
  const { arbiter, inside, enter } = stage();
  arbiter.setTalking(true);
  const leave = await enter('talk');
  void enter('chat');
  leave();
  await flushPromises();
  expect(arbiter.user).toBe('talk');
  const leaveAgain = await enter('talk again');
  leaveAgain();
  await flushPromises();
  expect(inside).toEqual(['talk', 'talk again']);
  arbiter.setTalking(false);
  await flushPromises();
  expect(inside).toEqual(['talk', 'talk again', 'chat']);
  expect(arbiter.user).toBe('chat');
});

it('the arbiter asks a chat to end when a talk waits, and admits the talk before the next chat', async () => {
  const { arbiter, inside, enter } = stage();
  const onTalkWaits = vi.fn();
  arbiter.onTalkWaits(onTalkWaits);
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

it('the arbiter admits sessions of one mode together, because the gateway queues them', async () => {
  const { inside, enter } = stage();
  await Promise.all([enter('chat'), enter('chat of another page')]);
  expect(inside).toHaveLength(2);
});
