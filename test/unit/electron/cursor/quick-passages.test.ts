import { expect, it } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
import { CursorStage } from './cursor-stage.ts';

const passage = (id: string, text: string) => ({
  passage: { kind: 'talk', id, title: `Talk ${id}`, at: 5, turn: 1 } as const,
  text,
});

it('a quick question takes passages of earlier conversations along, and names them until they are taken out', async () => {
  const stage = new CursorStage();
  stage.past = [passage('a', 'The lighthouse is red.'), passage('b', 'Ona is an island.')];
  await stage.open();
  expect(await stage.ask.findPast('What did I say?')).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  await stage.ask.ask('What did I say?', [{ kind: 'talk', id: 'b' }]);
  const system = () => stage.questions.at(-1)?.messages[0]?.content;
  expect(system()).toContain('The lighthouse is red.');
  expect(system()).not.toContain('Ona');
  await stage.reply('It is red.');
  const question = () => stage.ask.snapshot().conversation.turns[0];
  const turn = question();
  expect(turn).toMatchObject({ past: [{ id: 'a', title: 'Talk a' }] });
  stage.ask.forgetPassage(turn?.id ?? '', { kind: 'talk', id: 'a' });
  expect(question()).toMatchObject({ past: [] });
  stage.ask.retry(turn?.id ?? '');
  expect(system()).not.toContain('lighthouse');
});

it('a quick question is dropped if its window was opened again while History was searched', async () => {
  const stage = await new CursorStage().open();
  const asked = stage.ask.ask('What did I say?');
  void stage.ask.open();
  expect(await asked).toEqual(failure('messageGone'));
  expect(stage.questions).toEqual([]);
});
