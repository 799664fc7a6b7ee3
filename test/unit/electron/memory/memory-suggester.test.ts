import { expect, it } from 'vitest';
import { MemorySuggester } from '../../../../electron/memory/memory-suggester.ts';
import type {
  SaidText,
  SuggestionQuestion,
} from '../../../../electron/memory/suggestion-question.ts';
import { englishMemoryPrompts } from '../../../../shared/i18n/en/prompts.ts';
import type { HistoryRef } from '../../../../shared/recordings/history-item.ts';
import { defaultSettings, type Settings } from '../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { memoryHarness } from './memory-harness.ts';

const talk: HistoryRef = { kind: 'talk', id: '2026-11-28' };
const chat: HistoryRef = { kind: 'chat', id: 'c1' };
const moved: SaidText = {
  title: 'The move',
  turns: [
    { by: 'person', text: 'We moved to Oslo, and my cat Tom hates it.' },
    { by: 'parley', text: 'Poor Tom! I am sure that you live in Rome.' },
  ],
};

interface Asked extends SuggestionQuestion {
  readonly server: string;
  readonly done: (answer: string | undefined) => void;
  cancelled: boolean;
}

function suggesterHarness(suggest: Settings['memory']['suggest'] = 'unasked') {
  const clock = new FakeClock();
  const { store, texts, file } = memoryHarness();
  const stored = new Map<string, SaidText>([['2026-11-28', moved]]);
  const asked: Asked[] = [];
  let settings = { ...defaultSettings.memory, suggest };
  let isFree = true;
  let changes = 0;
  let releases = 0;
  const suggester = new MemorySuggester({
    clock,
    wallClock: () => 5,
    random: seeded(3),
    store,
    settings: () => settings,
    messages: () => Promise.resolve(englishMemoryPrompts),
    read: ({ id }) => Promise.resolve(stored.get(id)),
    isFree: () => isFree,
    releaseSessions: () => {
      releases += 1;
    },
    ask: (server, question, done) => {
      const one: Asked = { ...question, server, done, cancelled: false };
      asked.push(one);
      return () => {
        one.cancelled = true;
      };
    },
    onChanged: () => {
      changes += 1;
    },
  });
  return {
    suggester,
    store,
    texts,
    file,
    stored,
    asked,
    changes: () => changes,
    releases: () => releases,
    setFree: (free: boolean) => {
      isFree = free;
    },
    change: async (part: Partial<typeof settings>) => {
      settings = { ...settings, ...part };
      await suggester.settingsChanged();
    },
    pass: async (seconds: number) => {
      clock.advance(seconds * 1000);
      await flushPromises();
    },
    /** A conversation with the server “home” is stored. */
    storeConversation: (ref: HistoryRef) => {
      suggester.noteServer(ref, 'home');
      suggester.onStored(ref);
    },
    pending: () => suggester.suggestions.map(({ text }) => text),
  };
}

/** A suggester a minute after a talk was stored. */
async function suggestAfterTalk(suggest?: Settings['memory']['suggest']) {
  const harness = suggesterHarness(suggest);
  harness.storeConversation(talk);
  await harness.pass(61);
  return harness;
}

it('the server of a stored talk is asked for suggestions after the talk has been quiet for a minute', async () => {
  const harness = suggesterHarness();
  harness.storeConversation(talk);
  await harness.pass(50);
  harness.suggester.onStored(talk);
  await harness.pass(50);
  expect(harness.asked).toEqual([]);
  await harness.pass(11);
  expect(harness.asked).toHaveLength(1);
  expect(harness.asked[0]).toMatchObject({ server: 'home' });
  expect(harness.asked[0]?.request).toContain('User: We moved to Oslo, and my cat Tom hates it.');
  expect(harness.asked[0]?.request).toContain('(empty)');
  await harness.pass(3600);
  expect(harness.asked).toHaveLength(1);
});

it('words that are written down while the server is asked are read afterwards', async () => {
  const { asked, pass, stored, suggester } = await suggestAfterTalk();
  const later = { by: 'person', text: 'I teach physics at a school.' } as const;
  stored.set('2026-11-28', { ...moved, turns: [...moved.turns, later] });
  suggester.onStored(talk);
  asked[0]?.done('- My cat is called Tom.');
  await pass(61);
  expect(asked).toHaveLength(2);
  expect(asked[1]?.request).toContain('User: I teach physics at a school.');
  expect(asked[1]?.request).not.toContain('User: We moved to Oslo');
});

it('suggestions wait for the user, and nothing is stored before the user accepts', async () => {
  const { asked, pending, store, suggester, changes } = await suggestAfterTalk();
  asked[0]?.done('- My cat is called Tom.\n- I live in Oslo.');
  expect(pending()).toEqual(['My cat is called Tom.', 'I live in Oslo.']);
  expect(changes()).toBeGreaterThan(0);
  expect(store.sentences()).toEqual([]);
  const [cat, home] = suggester.suggestions;
  await suggester.answer(cat?.id ?? '', true);
  await suggester.answer(home?.id ?? '', false);
  expect(store.sentences()).toMatchObject([
    {
      text: 'My cat is called Tom.',
      source: { kind: 'talk', id: '2026-11-28', title: 'The move', when: 5 },
    },
  ]);
  expect(pending()).toEqual([]);
});

it('a suggestion replaces the sentence that it names', async () => {
  const harness = suggesterHarness();
  await harness.store.add('I am a nurse.');
  await harness.store.add('I live in Bergen.');
  harness.storeConversation(talk);
  await harness.pass(61);
  expect(harness.asked[0]?.request).toContain('1. I am a nurse.\n2. I live in Bergen.');
  harness.asked[0]?.done('- 2: I live in Oslo.');
  await harness.suggester.answer(harness.suggester.suggestions[0]?.id ?? '', true);
  expect(harness.texts()).toEqual(['I am a nurse.', 'I live in Oslo.']);
});

it('automatic suggestions are remembered at once', async () => {
  const { asked, texts, pending, pass } = await suggestAfterTalk('auto');
  asked[0]?.done('- My cat is called Tom.\n- My password for Tom is tulip.');
  await pass(0);
  expect(texts()).toEqual(['My cat is called Tom.']);
  expect(pending()).toEqual([]);
});

it('waiting suggestions are remembered when the user switches to automatic', async () => {
  const { asked, texts, change, pending } = await suggestAfterTalk();
  asked[0]?.done('- My cat is called Tom.\n- I live in Oslo.');
  await change({ suggest: 'auto' });
  expect(texts()).toEqual(['My cat is called Tom.', 'I live in Oslo.']);
  expect(pending()).toEqual([]);
});

it('the choice “never” asks no server and drops waiting suggestions', async () => {
  const never = await suggestAfterTalk('never');
  await never.pass(3600);
  expect(never.asked).toEqual([]);
  const later = await suggestAfterTalk();
  later.asked[0]?.done('- My cat is called Tom.');
  await later.change({ suggest: 'never' });
  expect(later.pending()).toEqual([]);
  const asking = await suggestAfterTalk();
  await asking.change({ suggest: 'never' });
  expect(asking.asked[0]?.cancelled).toBe(true);
  await asking.pass(3600);
  expect(asking.asked).toHaveLength(1);
});

type Cause = (harness: ReturnType<typeof suggesterHarness>) => Promise<void> | void;
const silent: Readonly<Record<string, Cause>> = {
  'while the memory is off': async (harness) => {
    await harness.change({ use: false });
    harness.storeConversation(talk);
  },
  'about a talk whose server is unknown': ({ suggester }) => suggester.onStored(talk),
  'about a talk that is not stored': async (harness) => {
    harness.stored.clear();
    harness.suggester.noteServer(talk, 'home');
    await harness.pass(3600);
    harness.suggester.onStored(talk);
  },
  'about a talk without words of the user': ({ stored, storeConversation }) => {
    stored.set(talk.id, { title: '', turns: [{ by: 'parley', text: 'You live in Rome.' }] });
    storeConversation(talk);
  },
};

it.each(Object.entries(silent))('no server is asked %s', async (_when, happens) => {
  const harness = suggesterHarness();
  await happens(harness);
  await harness.pass(3600);
  expect(harness.asked).toEqual([]);
});

it('a sentence from the model’s own words is dropped', async () => {
  const { asked, pending } = await suggestAfterTalk();
  asked[0]?.done('- I live in Rome.');
  expect(pending()).toEqual([]);
});

it('a busy server is asked later, and given up after half an hour', async () => {
  const harness = suggesterHarness();
  harness.setFree(false);
  harness.storeConversation(talk);
  await harness.pass(600);
  expect(harness.asked).toEqual([]);
  harness.setFree(true);
  await harness.pass(61);
  expect(harness.asked).toHaveLength(1);
  const other = suggesterHarness();
  other.setFree(false);
  other.storeConversation(talk);
  for (let minute = 0; minute < 32; minute += 1) await other.pass(60);
  other.setFree(true);
  await other.pass(3600);
  expect(other.asked).toEqual([]);
});

it('a long talk is read at its end, half an hour after its last change at the latest', async () => {
  const harness = suggesterHarness();
  harness.setFree(false);
  harness.storeConversation(talk);
  for (let minute = 0; minute < 29; minute += 1) await harness.pass(60);
  await harness.pass(30);
  harness.suggester.onStored(talk);
  harness.setFree(true);
  for (let minute = 0; minute < 3; minute += 1) await harness.pass(60);
  expect(harness.asked).toHaveLength(1);
});

it('a talk that begins cancels the request at once, and the request is repeated later', async () => {
  const { suggester, asked, setFree, pass, pending } = await suggestAfterTalk();
  setFree(false);
  suggester.cancelRequest();
  expect(asked[0]?.cancelled).toBe(true);
  asked[0]?.done('- My cat is called Tom.');
  expect(pending()).toEqual([]);
  await pass(120);
  expect(asked).toHaveLength(1);
  setFree(true);
  await pass(61);
  expect(asked).toHaveLength(2);
});

it('a failed request is repeated twice, after idle chats left their worker', async () => {
  const { asked, pass, releases } = await suggestAfterTalk();
  expect(releases()).toBe(0);
  for (let tries = 0; tries < 5; tries += 1) {
    asked.at(-1)?.done(undefined);
    await pass(61);
  }
  expect(asked).toHaveLength(3);
  expect(releases()).toBe(2);
});

it('a continued chat is read from where the last request ended', async () => {
  const harness = suggesterHarness();
  harness.stored.set(chat.id, { title: 'Cats', turns: moved.turns });
  harness.storeConversation(chat);
  await harness.pass(61);
  harness.asked[0]?.done('- My cat is called Tom.');
  harness.suggester.onStored(chat);
  await harness.pass(61);
  expect(harness.asked).toHaveLength(1);
  const turns = [...moved.turns, { by: 'person', text: 'My son plays chess.' } as const];
  harness.stored.set(chat.id, { title: 'Cats', turns });
  harness.suggester.onStored(chat);
  await harness.pass(61);
  expect(harness.asked).toHaveLength(2);
  expect(harness.asked[1]?.request).toContain('My son plays chess.');
  expect(harness.asked[1]?.request).not.toContain('We moved');
});

it('a rejected sentence is not suggested again', async () => {
  const harness = await suggestAfterTalk();
  harness.asked[0]?.done('- My cat is called Tom.');
  await harness.suggester.answer(harness.suggester.suggestions[0]?.id ?? '', false);
  harness.stored.set(chat.id, { title: 'Cats', turns: moved.turns });
  harness.storeConversation(chat);
  await harness.pass(61);
  harness.asked[1]?.done('- my cat is called TOM');
  expect(harness.pending()).toEqual([]);
});

it('deleting a talk drops its suggestions', async () => {
  const harness = await suggestAfterTalk();
  harness.asked[0]?.done('- My cat is called Tom.');
  harness.suggester.forget({ kind: 'chat' });
  expect(harness.pending()).toHaveLength(1);
  harness.suggester.forget(talk);
  expect(harness.pending()).toEqual([]);
  const waiting = suggesterHarness();
  waiting.storeConversation(talk);
  waiting.suggester.forget({ kind: 'talk' });
  await waiting.pass(3600);
  expect(waiting.asked).toEqual([]);
});

it('a talk that is deleted while a server reads it gives no suggestion', async () => {
  const { suggester, asked, pending, pass } = await suggestAfterTalk();
  suggester.forget(talk);
  expect(asked[0]?.cancelled).toBe(true);
  asked[0]?.done('- My cat is called Tom.');
  await pass(3600);
  expect(pending()).toEqual([]);
  expect(asked).toHaveLength(1);
});

it('a full memory returns an error and keeps the suggestion', async () => {
  const harness = await suggestAfterTalk();
  for (const letter of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    await harness.store.add(letter.repeat(199));
  harness.asked[0]?.done(`- My cat is called Tom${' and'.repeat(30)} Oslo.`);
  const id = harness.suggester.suggestions[0]?.id ?? '';
  expect(await harness.suggester.answer(id, true)).toMatchObject({ code: 'memoryListFull' });
  expect(harness.pending()).toHaveLength(1);
});

it('removing everything cancels the request, and its answer suggests nothing', async () => {
  const { suggester, asked, pass, pending } = await suggestAfterTalk();
  suggester.clear();
  expect(asked[0]?.cancelled).toBe(true);
  asked[0]?.done('- My cat is called Tom.');
  await pass(3600);
  expect(pending()).toEqual([]);
  expect(asked).toHaveLength(1);
});
