import { expect, it } from 'vitest';
import { memoryCommand } from '../../../../../../electron/hosts/terminal/commands/memory-command.ts';
import { memoryStage } from '../../../memory/memory-stage.ts';

function machine() {
  const { store, disk } = memoryStage();
  let out = '';
  const terminal = { out: (text: string) => (out += text), err: () => undefined };
  const run = (...args: readonly string[]) => {
    out = '';
    return memoryCommand.run(args, terminal, () => ({ memory: store }));
  };
  return { store, disk, run, output: () => out };
}

it('a sentence is added, listed and removed by its ID', async () => {
  const { store, run, output } = machine();
  expect(await run('add', 'I live in Bergen.')).toBe(0);
  const id = store.sentences()[0]?.id ?? '';
  expect(output()).toBe(`${id}  I live in Bergen.\n`);
  await store.change(id, { on: false });
  expect(await run('list')).toBe(0);
  expect(output()).toBe(`${id}  I live in Bergen.  (off)\n`);
  expect(await run('remove', id)).toBe(0);
  expect(output()).toBe('');
  expect(store.sentences()).toEqual([]);
});

it('--json prints one object a line', async () => {
  const { run, output } = machine();
  await run('add', 'I am a nurse.');
  expect(await run('list', '--json')).toBe(0);
  expect(JSON.parse(output())).toMatchObject({
    text: 'I am a nurse.',
    source: { kind: 'person' },
    on: true,
  });
});

it('wrong usage is one sentence', async () => {
  const { run, disk } = machine();
  await expect(run('add')).rejects.toThrow('Write a sentence: parley memory add');
  await expect(run('remove')).rejects.toThrow('Name an ID');
  await expect(run('remove', 'nobody')).rejects.toThrow('no longer remembers');
  await expect(run('list', 'more')).rejects.toThrow('Unexpected argument "more".');
  await expect(run('add', 'x'.repeat(300))).rejects.toThrow('200 characters at most');
  disk.set('memory.json', '{"version": 9, "sentences": []}');
  await expect(run('list')).rejects.toThrow('A newer Parley wrote the memory.');
});
