import { expect, test } from 'vitest';
import {
  formatActionFile,
  mergeActions,
  parseActionFile,
} from '../../../../shared/cursor/action-file.ts';
import { builtInActions, type CursorAction } from '../../../../shared/cursor/cursor-action.ts';

const haiku: CursorAction = {
  id: 'haiku',
  name: 'Haiku',
  icon: 'star',
  prompt: 'Write a haiku.',
  key: 'F7',
  inPlace: false,
};

test('a file has the actions without their keys', () => {
  const text = formatActionFile([haiku]);
  expect(text).not.toContain('F7');
  expect(parseActionFile(text)).toEqual({ ok: true, value: [{ ...haiku, key: 'none' }] });
});

test.each(['', '[]', '{"actions":[{}]}', JSON.stringify({ actions: [haiku, haiku] })])(
  'refuses %j',
  (text) => {
    expect(parseActionFile(text)).toMatchObject({ error: { code: 'cursorActionsUnread' } });
  },
);

test('an import replaces by id, keeps keys and order, and appends', () => {
  const own = [haiku, ...builtInActions.slice(0, 1)];
  const changed = { ...haiku, prompt: 'Write two.', key: 'none' };
  const other = { ...changed, id: 'other' };
  expect(mergeActions(own, [other, changed])).toEqual({
    ok: true,
    value: [{ ...changed, key: 'F7' }, builtInActions[0], other],
  });
});

test('an import cannot exceed the limit', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ ...haiku, id: `a${index}` }));
  expect(mergeActions([haiku], many)).toMatchObject({ error: { facts: { most: 20 } } });
});
