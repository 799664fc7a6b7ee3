import { englishErrorMessage } from '../../shared/i18n/en/describe-app-error.ts';
import type { RemoteChannel } from '../../electron/ports/remote-channel.ts';

type Hear = Parameters<RemoteChannel['listen']>[0];

/** Lines that meet at names, as sockets do at paths. */
export function fakeRemoteChannels(): (name: string) => RemoteChannel {
  const heard = new Map<string, Hear>();
  return (name) => ({
    listen: (answer) => {
      if (heard.has(name)) return Promise.resolve({ ok: true, value: undefined });
      heard.set(name, answer);
      const close = (): Promise<void> => {
        heard.delete(name);
        return Promise.resolve();
      };
      return Promise.resolve({ ok: true, value: close });
    },
    ask: async (words) => {
      const answer = heard.get(name);
      if (answer === undefined) return { kind: 'nobody' };
      const outcome = await answer(words);
      return outcome.ok
        ? { kind: 'done' }
        : { kind: 'refused', message: englishErrorMessage(outcome.error) };
    },
  });
}
