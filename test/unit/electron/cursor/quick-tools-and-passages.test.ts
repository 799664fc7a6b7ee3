import { expect, it } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { CursorHarness } from './cursor-harness.ts';

const passage = (id: string, text: string) => ({
  passage: { kind: 'talk', id, title: `Talk ${id}`, at: 5, turn: 1 } as const,
  text,
});

it('a quick question takes passages of earlier conversations along, and names them until they are taken out', async () => {
  const harness = new CursorHarness();
  harness.past = [passage('a', 'The lighthouse is red.'), passage('b', 'Ona is an island.')];
  await harness.open();
  expect(await harness.ask.findPast('What did I say?')).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  await harness.ask.ask('What did I say?', [{ kind: 'talk', id: 'b' }]);
  const system = () => harness.questions.at(-1)?.messages[0]?.content;
  expect(system()).toContain('The lighthouse is red.');
  expect(system()).not.toContain('Ona');
  await harness.reply('It is red.');
  const question = () => harness.ask.snapshot().conversation.turns[0];
  const turn = question();
  expect(turn).toMatchObject({ past: [{ id: 'a', title: 'Talk a' }] });
  harness.ask.forgetPassage(turn?.id ?? '', { kind: 'talk', id: 'a' });
  expect(question()).toMatchObject({ past: [] });
  harness.ask.retry(turn?.id ?? '');
  expect(system()).not.toContain('lighthouse');
});

it('a quick question is dropped if its window was opened again while History was searched', async () => {
  const harness = await new CursorHarness().open();
  const asked = harness.ask.ask('What did I say?');
  void harness.ask.open();
  expect(await asked).toEqual(failure('messageGone'));
  expect(harness.questions).toEqual([]);
});

it('the quick ask asks before it runs a tool, and forgets the question when it opens again', async () => {
  const harness = new CursorHarness();
  let runs = 0;
  harness.tools = [
    {
      name: 'now',
      server: '',
      description: 'The time.',
      schema: { type: 'object' },
      isRisky: false,
      run: () => {
        runs += 1;
        return Promise.resolve({ ok: true, value: { text: 'noon', isError: false } });
      },
    },
  ];
  const call = '<tool_call>{"name":"now","arguments":{}}</tool_call>';
  await harness.open();
  await harness.ask.ask('What time is it?');
  await harness.reply(call);
  const id = harness.answer.calls?.[0]?.id ?? '';
  expect(harness.answer).toMatchObject({ text: '', calls: [{ tool: 'now', state: 'asking' }] });
  expect(harness.ask.decideCall(id, 'once')).toMatchObject({ ok: true });
  await flushPromises();
  expect(harness.lastQuestion.text).toContain('noon');
  await harness.reply('It is noon.');
  await harness.ask.ask('And now?');
  await harness.reply(call);
  const second = harness.answer.calls?.[0]?.id ?? '';
  await harness.ask.close();
  await harness.open();
  expect(harness.ask.decideCall(second, 'once')).toEqual(failure('toolCallGone'));
  expect(runs).toBe(1);
});
