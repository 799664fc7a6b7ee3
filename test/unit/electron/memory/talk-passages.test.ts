import { expect, it } from 'vitest';
import { TalkPassages } from '../../../../electron/memory/talk-passages.ts';
import type { FoundPassage, TalkPassagesView } from '../../../../shared/memory/memory-view.ts';
import type { UserPhrase } from '../../../../shared/talk/captions.ts';

const found = (id: string, text: string): FoundPassage => ({
  passage: { kind: 'talk', id, title: id, at: 5, turn: 0 },
  text,
});
const tower = found('tower', 'The lighthouse is red.');
const boat = found('boat', 'The boat is blue.');

let at = 0;
const phrase = (text: string, more: Partial<UserPhrase> = {}): UserPhrase => ({
  at: (at += 1),
  seconds: 2,
  after: 1,
  state: 'written',
  text,
  transcribed: 'byMachine',
  ...more,
});

/** The passages of a talk, with a History that has a passage for each of these words. */
function passagesHarness(words: Readonly<Record<string, readonly FoundPassage[]>>) {
  const searched: string[] = [];
  const views: TalkPassagesView[] = [];
  const passages = new TalkPassages({
    find: (text) => {
      searched.push(text);
      const word = Object.keys(words).find((each) => text.includes(each));
      return Promise.resolve(word === undefined ? [] : (words[word] ?? []));
    },
    onChanged: (view) => views.push(view),
  });
  passages.begin();
  const text = (size?: number) =>
    passages.text((all) => all.map(({ text }) => text).join('\n'), 'Be kind.', size);
  return { passages, searched, views, text };
}

it('words about the past send a passage with the next session, and with no later one', async () => {
  const { passages, views, text } = passagesHarness({ lighthouse: [tower] });
  expect(text()).toBeUndefined();
  await passages.onPhrase(phrase('What did I say about the lighthouse?'));
  expect(views).toMatchObject([{ passages: [{ id: 'tower' }], isSent: false }]);
  expect(text()).toBe('The lighthouse is red.');
  // The text is built again while the next session is on its way.
  expect(text()).toBe('The lighthouse is red.');
  passages.onSessionBegan();
  expect(views.at(-1)).toMatchObject({ passages: [{ id: 'tower' }], isSent: true });
  expect(text()).toBeUndefined();
});

it('words that are not written down start no search', async () => {
  const { passages, searched } = passagesHarness({ lighthouse: [tower] });
  for (const state of ['waiting', 'writing', 'unwritten', 'removed'] as const)
    await passages.onPhrase(phrase('the lighthouse', { state }));
  await passages.onPhrase(phrase(''));
  expect(searched).toEqual([]);
});

it('the phrases of one question are searched together, without those from before an answer', async () => {
  const { passages, searched } = passagesHarness({});
  await passages.onPhrase(phrase('Good morning.', { after: 0 }));
  await passages.onPhrase(phrase('What did I say'));
  await passages.onPhrase(phrase('about the lighthouse?'));
  expect(searched.at(-1)).toBe('What did I say about the lighthouse?');
});

it('other words leave the passage waiting, and a newer question replaces it', async () => {
  const { passages, text } = passagesHarness({ lighthouse: [tower], boat: [boat] });
  await passages.onPhrase(phrase('What did I say about the lighthouse?'));
  await passages.onPhrase(phrase('Never mind.', { after: 2 }));
  expect(text()).toBe('The lighthouse is red.');
  await passages.onPhrase(phrase('Did I mention the boat?', { after: 3 }));
  expect(text()).toBe('The boat is blue.');
});

it('a question that comes while the next session opens waits for the one after it', async () => {
  const { passages, views, text } = passagesHarness({ lighthouse: [tower], boat: [boat] });
  await passages.onPhrase(phrase('What did I say about the lighthouse?'));
  text();
  await passages.onPhrase(phrase('Did I mention the boat?', { after: 3 }));
  passages.onSessionBegan();
  expect(views.at(-1)).toMatchObject({ passages: [{ id: 'boat' }], isSent: false });
  expect(text()).toBe('The boat is blue.');
});

it('a passage that the user takes out is not sent', async () => {
  const { passages, views, text } = passagesHarness({ lighthouse: [tower, boat] });
  await passages.onPhrase(phrase('What did I say about the lighthouse?'));
  passages.leaveOut({ kind: 'talk', id: 'tower' });
  expect(text()).toBe('The boat is blue.');
  passages.leaveOut({ kind: 'talk', id: 'boat' });
  expect(text()).toBeUndefined();
  expect(views.at(-1)).toEqual({ passages: [], isSent: false });
});

it('a small context gets fewer passages or none', async () => {
  const { passages, views, text } = passagesHarness({ lighthouse: [tower, boat] });
  await passages.onPhrase(phrase('What did I say about the lighthouse?'));
  expect(text(20)).toBeUndefined();
  passages.onSessionBegan();
  expect(views.at(-1)).toMatchObject({ isSent: false });
  expect(text(90)).toBe('The lighthouse is red.');
  passages.onSessionBegan();
  expect(views.at(-1)).toMatchObject({ passages: [{ id: 'tower' }], isSent: true });
});

it('the result of a search is dropped after another talk has begun', async () => {
  const { passages, views } = passagesHarness({ lighthouse: [tower] });
  const searching = passages.onPhrase(phrase('What did I say about the lighthouse?'));
  passages.begin();
  await searching;
  expect(views).toEqual([]);
});
