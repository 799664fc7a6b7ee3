import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseStoredChat } from '../../electron/chat/stored-chat.ts';
import { createChatStore } from '../../electron/platform/files/chat-and-talk-store.ts';
import { eventually } from '../fakes/eventually.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function storedAnswer(folder: string) {
  const store = createChatStore(folder);
  const [{ id } = { id: '' }] = unwrap(await store.list());
  const stored = await store.read(id);
  const turns = stored.ok ? (parseStoredChat(id, stored.value.text)?.turns ?? []) : [];
  const answer = turns.find(({ role }) => role === 'assistant');
  return answer?.role === 'assistant' ? answer : undefined;
}

describe('a Parley killed during a chat answer', () => {
  it('has stored the part that had arrived, in five of five runs, and reports a crash', async () => {
    const killDuringAnswer = async (folder: string, afterMs: number) => {
      const words = [here('sound/run-module.mjs'), here('files/keep-answering.ts')];
      const parley = spawn(process.execPath, words, {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, PARLEY_STATE_DIR: folder },
      });
      let printed = '';
      parley.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      await eventually(async () => {
        if (((await storedAnswer(folder))?.text ?? '') === '') throw new Error('nothing yet');
      });
      await wait(afterMs);
      parley.kill('SIGKILL');
      await once(parley, 'close');
      const answer = await storedAnswer(folder);
      return {
        state: answer?.state,
        isPrefix: answer !== undefined && answer.text !== '' && printed.startsWith(answer.text),
      };
    };
    const at = workFolder();
    const found = await Promise.all(
      [0, 1, 2, 3, 4].map((index) => killDuringAnswer(at(`state-${index}`), index * 170)),
    );
    const cutByCrash = { kind: 'failed', error: { code: 'answerCutByCrash', facts: {} } };
    expect(found).toEqual(found.map(() => ({ state: cutByCrash, isPrefix: true })));
  });
});
