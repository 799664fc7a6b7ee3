import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { parley } from '../fakes/fake-terminal.ts';
import { workFolder } from '../fakes/work-folder.ts';

const speech = join(import.meta.dirname, '..', '..', 'resources', 'speech');

afterEach(() => {
  vi.unstubAllEnvs();
});

it('parley dictate prints the words of a recording, from the embedded gateway', async () => {
  vi.stubEnv('PARLEY_STATE_DIR', workFolder()('state'));
  const { code, out } = await parley('dictate', '--audio', join(speech, 'hello.wav'));
  expect([code, out]).toEqual([0, 'Hello, I am the demonstration that lives inside Parley.\n']);
});
