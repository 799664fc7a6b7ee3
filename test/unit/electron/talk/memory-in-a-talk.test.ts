import { expect, it } from 'vitest';
import { lost, Stage } from './stage.ts';

function knowingTalk(known: { text: string | undefined }, instructions?: string) {
  const asked: (string | undefined)[] = [];
  const stage = new Stage(
    { ...(instructions !== undefined && { settings: { instructions } }) },
    {
      memory: (given) => {
        asked.push(given);
        return known.text;
      },
    },
  );
  const sent = () => stage.session.options.settings.instructions;
  return { stage, asked, sent };
}

it('a talk begins with what is known of the user after its instructions', () => {
  const { sent, asked } = knowingTalk({ text: 'The user lives in Bergen.' }, 'Be kind.');
  expect(sent()).toBe('Be kind.\n\nThe user lives in Bergen.');
  expect(asked).toEqual(['Be kind.']);
});

it('a talk without instructions begins with the memory alone', () => {
  expect(knowingTalk({ text: 'The user lives in Bergen.' }).sent()).toBe(
    'The user lives in Bergen.',
  );
  expect(knowingTalk({ text: undefined }).sent()).toBeUndefined();
});

it('the transcript follows the memory in a later session', () => {
  const { stage, sent } = knowingTalk({ text: 'The user lives in Bergen.' }, 'Be kind.');
  stage.live().says('Hello there.', 1).pass(3000).ends();
  stage.session.close({ ...lost, by: 'client' });
  stage.talk.continueTalk('transcript');
  expect(sent()).toMatch(/^Be kind\.\n\nThe user lives in Bergen\.\n\n---.*Hello there\./su);
});

it('a memory that is switched off during a talk is not sent to the next session', () => {
  const known: { text: string | undefined } = { text: 'The user lives in Bergen.' };
  const { stage, sent } = knowingTalk(known, 'Be kind.');
  known.text = undefined;
  stage.live().says('Hello there.', 1).pass(3000).ends();
  stage.session.close({ ...lost, by: 'client' });
  stage.talk.continueTalk('transcript');
  expect(sent()).toContain('Hello there.');
  expect(sent()).not.toContain('Bergen');
});

it('the memory takes room from the transcript', () => {
  const turns = Array.from({ length: 400 }, (_, at) => ({
    text: `The answer number ${at} was this one, and it took some words.`,
    cut: false,
  }));
  const transcriptOf = (known: string | undefined) =>
    new Stage(
      { earlier: turns, settings: { instructions: 'word '.repeat(3500) } },
      { memory: () => known },
    ).session.options.settings.instructions?.match(/The answer number/gu)?.length ?? 0;
  expect(transcriptOf('fact '.repeat(300))).toBeLessThan(transcriptOf(undefined));
  expect(transcriptOf('fact '.repeat(300))).toBeGreaterThan(10);
});
