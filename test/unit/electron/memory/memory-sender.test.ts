import { expect, it } from 'vitest';
import { formatForModel, MemorySender } from '../../../../electron/memory/memory-sender.ts';
import { englishMemoryPrompts } from '../../../../shared/i18n/en/prompts.ts';
import type { MemorySent } from '../../../../shared/memory/memory-view.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { memoryHarness } from './memory-harness.ts';

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

it('an empty memory sends nothing', async () => {
  const { text } = await senderHarness();
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

it('the text of the memory never exceeds 500 tokens and its frame', async () => {
  const { store } = await senderHarness(
    ...Array.from({ length: 7 }, (_, at) => `${at} ${'x'.repeat(190)}`),
  );
  const formatted = formatForModel(store.sentences(), englishMemoryPrompts, {
    instructions: undefined,
  });
  expect(formatted?.sentences).toBe(7);
  expect(formatted?.tokens).toBeLessThan(700);
});
