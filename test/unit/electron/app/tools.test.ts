import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

let core: ReturnType<typeof coreWithFakes>;

afterEach(() => core.lifetime.end());

const overdue = { id: 1, at: 1000, text: 'call home' };

function openCore(confirms = true) {
  const folder = workFolder()('state');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'reminders.json'), JSON.stringify({ reminders: [overdue] }));
  core = coreWithFakes(folder, new FakeClock(), {
    confirm: {
      newServer: () => Promise.resolve(true),
      newProxy: () => Promise.resolve(true),
      newToolServer: () => Promise.resolve(confirms),
    },
  });
  return core;
}

describe('the tools of a running Parley', () => {
  it('show a missed reminder to pages that open later, until it is dismissed', async () => {
    const { parley, ask, payloads } = openCore();
    parley.tools.begin();
    expect(await ask('tools', undefined)).toMatchObject({ due: [overdue], reminders: [] });
    await ask('dismissReminder', { id: 1 });
    expect(payloads('toolsChanged').at(-1)?.due).toEqual([]);
    expect(parley.tools.due).toEqual([]);
  });

  it('are off until the user switches them on', async () => {
    const { parley, ask } = openCore();
    const names = () => parley.tools.forChats.list().map(({ name }) => name);
    expect(names()).toEqual([]);
    await ask('changeSettings', { tools: { clock: true } });
    expect(names()).toEqual(['current_time', 'calculate']);
  });

  it('include no server that the user refused in the dialog of the system', async () => {
    const { ask } = openCore(false);
    const text = JSON.stringify({ mcpServers: { notes: { command: 'notes' } } });
    await expect(ask('addToolServers', { text })).rejects.toThrow('You did not allow notes');
    expect((await ask('tools', undefined)).servers).toEqual([]);
  });

  it('share no file on a host without a dialog that picks one', async () => {
    const { ask } = openCore();
    await expect(ask('shareFile', undefined)).rejects.toThrow('Only the desktop app');
  });
});
