import { expect, it } from 'vitest';
import { moveSentence } from '../../../../electron/memory/memory-store.ts';
import { failure } from '../../../../shared/errors/app-error.ts';
import { memoryHarness } from './memory-harness.ts';
import { MemorySender } from '../../../../electron/memory/memory-sender.ts';
import { englishMemoryPrompts } from '../../../../shared/i18n/en/prompts.ts';
import type { MemorySent } from '../../../../shared/memory/memory-view.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';

it('the memory keeps a sentence with its source in a readable file', async () => {
  const { store, disk, changes } = memoryHarness();
  expect(await store.add(' I live in Bergen. ')).toEqual({ ok: true, value: undefined });
  const file: unknown = JSON.parse(disk.get('memory.json') ?? '');
  expect(file).toEqual({
    version: 1,
    sentences: [
      {
        id: expect.stringMatching(/^[\da-v]{16}$/u) as string,
        text: 'I live in Bergen.',
        source: { kind: 'person', when: 1_000_000 },
        on: true,
        changedAt: 1_000_000,
      },
    ],
  });
  expect(changes()).toBe(1);
});

it('a change in another process is not overwritten', async () => {
  const { store, disk } = memoryHarness();
  await store.add('I live in Bergen.');
  await memoryHarness(disk).store.add('My cat is called Ada.');
  await store.add('I am a nurse.');
  expect(memoryHarness(disk).texts()).toEqual([
    'I live in Bergen.',
    'My cat is called Ada.',
    'I am a nurse.',
  ]);
});

it('the same words are remembered only once', async () => {
  const { store, texts } = memoryHarness();
  await store.add('I live in Bergen.');
  expect(await store.add('i LIVE in Bergen!')).toMatchObject({ error: { code: 'memoryKnown' } });
  expect(texts()).toHaveLength(1);
});

it('the memory refuses a 61st sentence', async () => {
  const { store, texts } = memoryHarness();
  for (let number = 1; number <= 60; number += 1) {
    await store.add(`Fact ${number}`);
    const id = store.sentences().at(-1)?.id ?? '';
    await store.change(id, { on: false });
  }
  expect(await store.add('Fact 61')).toMatchObject({
    error: { code: 'memoryMany', facts: { most: 60 } },
  });
  expect(texts()).toHaveLength(60);
});

it('the memory refuses more than 500 tokens, and accepts edits that make it smaller', async () => {
  const { store } = memoryHarness();
  const long = (letter: string) => letter.repeat(199);
  for (const letter of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await store.add(long(letter));
  expect(store.view.tokens).toBeLessThanOrEqual(500);
  expect(await store.add(long('h'))).toMatchObject({ error: { code: 'memoryListFull' } });
  const [first] = store.sentences();
  await store.change(first?.id ?? '', { on: false });
  expect(await store.add(long('h'))).toMatchObject({ ok: true });
  expect(await store.change(first?.id ?? '', { on: true })).toMatchObject({
    error: { code: 'memoryListFull' },
  });
});

it('an edited sentence keeps its index', async () => {
  const { store, texts, pass } = memoryHarness();
  await store.add('I live in Bergen.');
  await store.add('I am a nurse.');
  pass(5);
  const id = store.sentences()[0]?.id ?? '';
  await store.change(id, { text: 'I live in Oslo.' });
  expect(texts()).toEqual(['I live in Oslo.', 'I am a nurse.']);
  expect(store.sentences()[0]).toMatchObject({ on: true, changedAt: 1_000_005 });
});

it('a sentence cannot become the copy of another', async () => {
  const { store } = memoryHarness();
  await store.add('I live in Bergen.');
  await store.add('I am a nurse.');
  const id = store.sentences()[1]?.id ?? '';
  expect(await store.change(id, { text: 'I live in Bergen' })).toMatchObject({
    error: { code: 'memoryKnown' },
  });
  expect(await store.change(id, { text: 'I am a nurse' })).toMatchObject({ ok: true });
});

it('a sentence moves to another index', async () => {
  const { store, texts } = memoryHarness();
  for (const text of ['One', 'Two', 'Three']) await store.add(text);
  await store.edit(moveSentence(store.sentences()[2]?.id ?? '', 0));
  expect(texts()).toEqual(['Three', 'One', 'Two']);
  await store.edit(moveSentence(store.sentences()[0]?.id ?? '', 60));
  expect(texts()).toEqual(['One', 'Two', 'Three']);
});

it('a removed sentence leaves the file', async () => {
  const { store, disk } = memoryHarness();
  await store.add('My door code is on paper.');
  const id = store.sentences()[0]?.id ?? '';
  expect(await store.remove(id)).toMatchObject({ ok: true });
  expect(disk.get('memory.json')).not.toContain('door');
  expect(await store.remove(id)).toMatchObject({ error: { code: 'memoryGone' } });
});

it('a removed sentence returns to its place, once', async () => {
  const { store, texts } = memoryHarness();
  for (const text of ['One', 'Two', 'Three']) await store.add(text);
  const before = store.sentences();
  const id = before[1]?.id ?? '';
  await store.remove(id);
  expect(texts()).toEqual(['One', 'Three']);
  await store.restore(id);
  expect(store.sentences()).toEqual(before);
  expect(await store.restore(id)).toMatchObject({ error: { code: 'memoryKnown' } });
});

it('a removed sentence returns even if others have taken its room, because it would be lost', async () => {
  const { store } = memoryHarness();
  for (const letter of 'abcdefg') await store.add(letter.repeat(199));
  const first = store.sentences()[0]?.id ?? '';
  await store.remove(first);
  await store.add('h'.repeat(199));
  expect(await store.restore(first)).toMatchObject({ ok: true });
  expect(store.view).toMatchObject({ sentences: { 0: { id: first }, length: 8 } });
  expect(store.view.tokens).toBeGreaterThan(500);
});

it('an emptied memory restores no sentence', async () => {
  const { store, texts } = memoryHarness();
  await store.add('I live in Bergen.');
  const id = store.sentences()[0]?.id ?? '';
  await store.remove(id);
  await store.removeAll();
  expect(await store.restore(id)).toMatchObject({ error: { code: 'memoryGone' } });
  expect(texts()).toEqual([]);
});

it('a sentence is not sent while its removal is being written, but pages have it until then', async () => {
  const { store, file, texts } = memoryHarness();
  await store.add('I live in Bergen.');
  const id = store.sentences()[0]?.id ?? '';
  const meanwhile: number[] = [];
  file.whileWriting = () => meanwhile.push(texts().length, store.view.sentences.length);
  await store.remove(id);
  expect([...meanwhile, store.view.sentences.length]).toEqual([0, 1, 0]);
});

it('a failed write changes nothing', async () => {
  const { store, file, texts, changes } = memoryHarness();
  await store.add('I live in Bergen.');
  file.writeFailure = failure('diskFull', { path: 'memory.json' });
  expect(await store.add('I am a nurse.')).toMatchObject({
    error: { code: 'memoryNotStored', cause: { code: 'diskFull' } },
  });
  expect(texts()).toEqual(['I live in Bergen.']);
  expect(changes()).toBe(1);
});

it('a damaged file is set aside, and its good sentences stay', async () => {
  const { store, disk } = memoryHarness();
  await store.add('I live in Bergen.');
  await store.add('I am a nurse.');
  const damaged = (disk.get('memory.json') ?? '').replace('"I am a nurse."', '7');
  disk.set('memory.json', damaged);
  const again = memoryHarness(disk);
  expect(again.texts()).toEqual(['I live in Bergen.']);
  expect(again.store.view.problem).toMatchObject({
    code: 'memoryPutAside',
    facts: { path: 'memory.damaged-1.json' },
  });
  expect(again.failed).toHaveLength(1);
  expect(disk.get('memory.damaged-1.json')).toBe(damaged);
  await again.store.add('My cat is called Ada.');
  expect(again.store.view.problem).toBeUndefined();
});

it('a file that is not JSON is set aside once', () => {
  const disk = new Map([['memory.json', '{"sentences": [']]);
  const { store, failed } = memoryHarness(disk);
  expect([store.sentences(), store.sentences()]).toEqual([[], []]);
  expect(failed).toHaveLength(1);
  expect([...disk.keys()]).toEqual(['memory.json', 'memory.damaged-1.json']);
});

it('the file of a newer version is neither used nor overwritten', async () => {
  const text = JSON.stringify({ version: 2, sentences: [] });
  const { store, disk, failed } = memoryHarness(new Map([['memory.json', text]]));
  expect(store.view).toMatchObject({ sentences: [], problem: { code: 'memoryNewer' } });
  expect(await store.add('I am a nurse.')).toMatchObject({ error: { code: 'memoryNewer' } });
  expect(disk.get('memory.json')).toBe(text);
  expect(failed).toHaveLength(1);
});

it('an unreadable file is reported and not mistaken for an empty one', async () => {
  const { store, file } = memoryHarness();
  await store.add('I live in Bergen.');
  file.readFailure = failure('noPermission', { path: 'memory.json' });
  expect(store.view).toMatchObject({ sentences: [], problem: { code: 'memoryUnread' } });
  expect(await store.add('I am a nurse.')).toMatchObject({ error: { code: 'memoryUnread' } });
});

it('the memory is empty once the user has deleted a file that could not be read', async () => {
  const { store, file, disk } = memoryHarness();
  await store.add('I live in Bergen.');
  file.readFailure = failure('noPermission', { path: 'memory.json' });
  expect(store.sentences()).toEqual([]);
  file.readFailure = undefined;
  disk.clear();
  expect(store.view).toMatchObject({ sentences: [], problem: undefined });
  await store.add('I am a nurse.');
  expect(store.sentences()).toMatchObject([{ text: 'I am a nurse.' }]);
});

it('a file edited by hand cannot add a sentence that the memory would refuse', () => {
  const sentence = (id: string, text: string) => ({
    id,
    text,
    source: { kind: 'person', when: 1 },
    on: true,
    changedAt: 1,
  });
  const sentences = [
    sentence('a1', 'Two\nlines'),
    sentence('a2', 'x'.repeat(300)),
    sentence('a3', '\u202e'),
  ];
  const disk = new Map([['memory.json', JSON.stringify({ version: 1, sentences })]]);
  expect(memoryHarness(disk).texts()).toEqual(['Two lines']);
});

async function senderHarness(...texts: readonly string[]) {
  const { store } = memoryHarness();
  for (const text of texts) await store.add(text);
  let { memory, assistant } = defaultSettings;
  const reported: MemorySent[] = [];
  const sender = new MemorySender({
    store,
    settings: () => ({ memory, assistant }),
    messages: () => Promise.resolve(englishMemoryPrompts),
    onSent: (sent) => reported.push(sent),
  });
  const format = await sender.prepare();
  return {
    store,
    reported,
    use: (on: boolean) => {
      memory = { ...memory, use: on };
    },
    without: (withoutMemory: typeof assistant.withoutMemory) => {
      assistant = { ...assistant, withoutMemory };
    },
    text: (part: Partial<Parameters<typeof format>[0]> = {}) =>
      format({ role: 'everyday', instructions: 'Be kind.', ...part }),
  };
}

it('the sentences are sent in the user’s order, between a begin and an end mark', async () => {
  const { text, reported } = await senderHarness('I live in Bergen.', 'I am a nurse.');
  const lines = text()?.split('\n') ?? [];
  expect(lines[0]).toBe('--- what you know about the user ---');
  expect(lines[1]).toContain('never instructions');
  expect(lines.slice(-3)).toEqual([
    '- I live in Bergen.',
    '- I am a nurse.',
    '--- end of what you know ---',
  ]);
  expect(reported).toMatchObject([{ sentences: 2, leftOut: 0 }]);
});

it('nothing is sent while the memory is off', async () => {
  const { text, use, reported } = await senderHarness('I live in Bergen.');
  use(false);
  expect(text()).toBeUndefined();
  expect(reported).toEqual([]);
  use(true);
  expect(text()).toContain('Bergen');
  use(false);
  expect(text()).toBeUndefined();
  expect(reported.at(-1)).toEqual({ sentences: 0, leftOut: 0, tokens: 0 });
});

it('a role can be set to get no memory, as the interpreter is by default', async () => {
  const { text, without } = await senderHarness('I live in Bergen.');
  expect(text({ role: 'interpreter' })).toBeUndefined();
  expect(text({ role: undefined })).toContain('Bergen');
  without(['everyday']);
  expect(text()).toBeUndefined();
  expect(text({ role: 'interpreter' })).toContain('Bergen');
});

it('a sentence that is switched off is not sent', async () => {
  const { store, text } = await senderHarness('I live in Bergen.', 'I am a nurse.');
  await store.change(store.sentences()[0]?.id ?? '', { on: false });
  expect(text()).not.toContain('Bergen');
  await store.change(store.sentences()[1]?.id ?? '', { on: false });
  expect(text()).toBeUndefined();
});

it('a full context gets only the first sentences', async () => {
  const facts = Array.from({ length: 20 }, (_, at) => `Fact ${at}: ${'word '.repeat(8)}`);
  const { text, reported } = await senderHarness(...facts);
  expect(text()?.match(/Fact/gu)).toHaveLength(20);
  const shorter = text({ instructions: 'word '.repeat(3800) }) ?? '';
  const kept = shorter.match(/Fact \d+/gu) ?? [];
  expect(kept.length).toBeGreaterThan(2);
  expect(kept.length).toBeLessThan(20);
  expect(kept).toEqual(facts.slice(0, kept.length).map((fact) => /Fact \d+/u.exec(fact)?.[0]));
  expect(reported.at(-1)).toMatchObject({ sentences: kept.length, leftOut: 20 - kept.length });
  expect(text({ instructions: 'word '.repeat(5000) })).toBeUndefined();
  expect(text({ contextTokens: 1024 })).toBeUndefined();
});
