import { expect, it } from 'vitest';
import { readPastQuestion } from '../../../../electron/memory/passage-finder.ts';

const now = Date.UTC(2026, 10, 28);
const day = 86_400_000;

it.each<readonly [string, readonly string[], number | undefined]>([
  ['What did I say about the lighthouse last week?', ['lighthouse'], 14],
  ['Did we talk about Norway yesterday?', ['norway'], 2],
  ['We talked about a recipe with pumpkin.', ['pumpkin', 'recipe'], undefined],
  ['Do you remember the violin teacher?', ['teacher', 'violin'], undefined],
  ['Last month I told you about my knee, right?', ['right', 'knee'], 62],
  ['What have we discussed last week?', [], 14],
  ['上次我们聊的灯塔在哪里？', ['灯塔'], undefined],
  ['我们聊过小提琴老师吗？', ['小提琴老师'], undefined],
  ['之前说的食谱是什么？', ['食谱'], undefined],
  ['我上周说过灯塔吗？', ['灯塔'], 14],
])('%s refers to the past', (message, words, days) => {
  const asked = readPastQuestion(message, now);
  expect(asked?.words).toEqual(words);
  expect(asked?.since).toBe(days === undefined ? undefined : now - days * day);
});

it.each([
  'What is a lighthouse?',
  'What happened in Norway last week?',
  'Say hello.',
  'Tell me about yesterday’s news.',
  'Translate: we are going home.',
  '灯塔是什么？',
  '上海的天气怎么样？',
  '给我讲个故事。',
  '',
])('%s does not refer to the past', (message) => {
  expect(readPastQuestion(message, now)).toBeUndefined();
});

it('a pasted text does not refer to the past', () => {
  expect(readPastQuestion(`We talked about this. ${'word '.repeat(100)}`, now)).toBeUndefined();
});

it('a question without a word or a time refers to nothing', () => {
  expect(readPastQuestion('Did we talk before?', now)).toBeUndefined();
});
