import type {
  RemoteChannel,
  RemoteReceiver,
} from '../../electron/platform/remote/remote-listener.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';

interface FakeListener {
  readonly answer: Parameters<RemoteChannel['listen']>[0];
  readonly turned: (receiver: RemoteReceiver) => void;
}

/** Channels that connect by name, as sockets do by path. */
export function fakeRemoteChannels(): (name: string) => RemoteChannel {
  /** The first listener of a name answers. */
  const listeners = new Map<string, FakeListener[]>();
  return (name) => ({
    listen: (answer, turned = () => undefined) => {
      const queue = listeners.get(name) ?? [];
      listeners.set(name, queue);
      const listener: FakeListener = { answer, turned };
      queue.push(listener);
      turned(queue[0] === listener ? 'ours' : 'another');
      const close = (): Promise<void> => {
        const first = queue[0] === listener;
        queue.splice(queue.indexOf(listener), 1);
        if (first) queue[0]?.turned('ours');
        return Promise.resolve();
      };
      return Promise.resolve({ ok: true, value: close });
    },
    ask: async (words) => {
      const answer = listeners.get(name)?.[0]?.answer;
      if (answer === undefined) return { kind: 'nobody' };
      const outcome = await answer(words);
      return outcome.ok
        ? { kind: 'done', ...(outcome.value !== undefined && { said: outcome.value }) }
        : { kind: 'refused', message: englishErrorMessage(outcome.error) };
    },
  });
}
