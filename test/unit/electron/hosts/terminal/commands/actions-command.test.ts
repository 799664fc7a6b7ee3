import { expect, it } from 'vitest';
import { actionsCommand } from '../../../../../../electron/hosts/terminal/commands/actions-command.ts';
import { SettingsStore } from '../../../../../../electron/settings/settings-store.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { FakeStateFile } from '../../../../../fakes/fake-state-file.ts';

function machine(files: FakeFiles) {
  const settings = new SettingsStore({
    file: new FakeStateFile(),
    lastGood: new FakeStateFile(),
    clock: new FakeClock(),
  });
  let out = '';
  const terminal = { out: (text: string) => (out += text), err: () => undefined };
  const run = (...args: readonly string[]) =>
    actionsCommand.run(args, terminal, () => ({ files, settings }));
  return { settings, run, output: () => out };
}

it('carries an action from one machine to another', async () => {
  const files = new FakeFiles();
  files.putFolder('/d');
  const [one, other] = [machine(files), machine(files)];
  const haiku = { id: 'haiku', name: 'Haiku', icon: 'star', prompt: 'A haiku.', inPlace: false };
  one.settings.change({ cursor: { actions: [{ ...haiku, key: 'F7' }] } });
  expect(await one.run('export', '/d/a.json')).toBe(0);
  expect(one.output()).toBe('Exported actions: 1\n');
  expect(await other.run('import', '/d/a.json')).toBe(0);
  const { actions } = other.settings.get().cursor;
  expect(actions).toHaveLength(6);
  expect(actions.at(-1)).toEqual({ ...haiku, key: 'none' });
});
