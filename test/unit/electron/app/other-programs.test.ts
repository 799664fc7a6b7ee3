import { expect, it } from 'vitest';
import { createOtherPrograms } from '../../../../electron/app/other-programs.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

it('a second text is inserted only after the first', async () => {
  const { promise: isWritten, resolve: write } = deferred();
  const written: string[] = [];
  const programs = createOtherPrograms({
    clipboard: {
      selectedText: async () => ({ text: '', cut: false }),
      text: async () => ({ text: '', cut: false }),
      picture: async () => undefined,
      write: async (text) => {
        written.push(text);
        await isWritten;
      },
      remember: async () => async () => undefined,
    },
    // On this system, a text can only be copied.
    system: { platform: 'win32', environment: {} },
    keyboardToken: {
      read: () => ({ ok: true, value: undefined }),
      write: async () => ({ ok: true, value: undefined }),
    },
    hideOwnWindow: () => undefined,
    wait: async () => undefined,
  });
  const both = [programs.insert('one', undefined), programs.insert('two', undefined)];
  await flushPromises();
  expect(written).toEqual(['one']);
  write();
  await Promise.all(both);
  expect(written).toEqual(['one', 'two']);
});
