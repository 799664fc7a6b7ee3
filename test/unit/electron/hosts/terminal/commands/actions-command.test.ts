import { expect, it } from 'vitest';
import {
  actionsCommand,
  formatActionFile,
  mergeActions,
  parseActionFile,
} from '../../../../../../electron/hosts/terminal/commands/actions-command.ts';
import { SettingsStore } from '../../../../../../electron/settings/settings-store.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { FakeStateFile } from '../../../../../fakes/fake-state-file.ts';
import {
  builtInActions,
  type CursorAction,
} from '../../../../../../shared/cursor/cursor-action.ts';

const haiku: CursorAction = {
  id: 'haiku',
  name: 'Haiku',
  icon: 'star',
  prompt: 'Write a haiku.',
  key: 'F7',
  inPlace: false,
};

function computerWith(files: FakeFiles) {
  const settings = new SettingsStore({
    file: new FakeStateFile(),
    clock: new FakeClock(),
  });
  const { terminal, written } = fakeTerminal();
  const run = (...args: readonly string[]) =>
    actionsCommand.run(args, terminal, () => ({ files, settings }));
  return { settings, run, written };
}

it('parley actions exports an action and imports it on another computer, without its key', async () => {
  const files = new FakeFiles();
  files.putFolder('/d');
  const [one, other] = [computerWith(files), computerWith(files)];
  one.settings.change({ cursor: { actions: [haiku] } });
  expect(await one.run('export', '/d/a.json')).toBe(0);
  expect(one.written.out).toBe('Exported actions: 1\n');
  expect(await other.run('import', '/d/a.json')).toBe(0);
  const { actions } = other.settings.get().cursor;
  expect(actions).toHaveLength(6);
  expect(actions.at(-1)).toEqual({ ...haiku, key: 'none' });
});

it('formatActionFile leaves out the keys of the actions', () => {
  const text = formatActionFile([haiku]);
  expect(text).not.toContain('F7');
  expect(parseActionFile(text)).toEqual({ ok: true, value: [{ ...haiku, key: 'none' }] });
});

it.each(['', '[]', '{"actions":[{}]}', JSON.stringify({ actions: [haiku, haiku] })])(
  'parseActionFile refuses %j',
  (text) => {
    expect(parseActionFile(text)).toMatchObject({ error: { code: 'cursorActionsUnread' } });
  },
);

it('mergeActions replaces an action with the same id in its place, keeps its key, and appends others', () => {
  const existing = [haiku, ...builtInActions.slice(0, 1)];
  const changed = { ...haiku, prompt: 'Write two.', key: 'none' };
  const other = { ...changed, id: 'other' };
  expect(mergeActions(existing, [other, changed])).toEqual({
    ok: true,
    value: [{ ...changed, key: 'F7' }, builtInActions[0], other],
  });
});

it('mergeActions refuses more than 20 actions', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({ ...haiku, id: `a${index}` }));
  expect(mergeActions([haiku], many)).toMatchObject({ error: { facts: { most: 20 } } });
});
