import { expect, it } from 'vitest';
import { memoryCommand } from '../../../../../../electron/hosts/terminal/commands/memory-command.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { memoryHarness } from '../../../memory/memory-harness.ts';

function openMemory() {
  const { store, disk } = memoryHarness();
  const { terminal, written } = fakeTerminal();
  const run = (...args: readonly string[]) => {
    written.out = '';
    return memoryCommand.run(args, terminal, () => ({ memory: store }));
  };
  return { store, disk, run, written };
}

it('parley memory adds and lists a sentence, and removes it by its ID', async () => {
  const { store, run, written } = openMemory();
  expect(await run('add', 'I live in Bergen.')).toBe(0);
  const id = store.sentences()[0]?.id ?? '';
  expect(written.out).toBe(`${id}  I live in Bergen.\n`);
  await store.change(id, { on: false });
  expect(await run('list')).toBe(0);
  expect(written.out).toBe(`${id}  I live in Bergen.  (off)\n`);
  expect(await run('remove', id)).toBe(0);
  expect(written.out).toBe('');
  expect(store.sentences()).toEqual([]);
});

it('parley memory list --json prints one object a line', async () => {
  const { run, written } = openMemory();
  await run('add', 'I am a nurse.');
  expect(await run('list', '--json')).toBe(0);
  expect(JSON.parse(written.out)).toMatchObject({
    text: 'I am a nurse.',
    source: { kind: 'person' },
    on: true,
  });
});

it('parley memory refuses wrong usage in one sentence', async () => {
  const { run, disk } = openMemory();
  await expect(run('add')).rejects.toThrow('Write a sentence: parley memory add');
  await expect(run('remove')).rejects.toThrow('Name an ID');
  await expect(run('remove', 'nobody')).rejects.toThrow('no longer remembers');
  await expect(run('list', 'more')).rejects.toThrow('Unexpected argument "more".');
  await expect(run('add', 'x'.repeat(300))).rejects.toThrow('200 characters at most');
  disk.set('memory.json', '{"version": 9, "sentences": []}');
  await expect(run('list')).rejects.toThrow('A newer Parley wrote the memory.');
});
