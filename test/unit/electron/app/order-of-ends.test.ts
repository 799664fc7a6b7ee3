import { expect, it, vi } from 'vitest';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

// A part may write to those that end later: a talk to its tape, a tape to the history, and each to the settings.
it('the parts of Parley end in the reverse order of their opening', async () => {
  const add = vi.spyOn(Lifetime.prototype, 'add');
  const { lifetime } = coreWithFakes(workFolder()('state'));
  const ends = add.mock.calls.map(([release, name = release.name]) => name).toReversed();
  add.mockRestore();
  await lifetime.end();
  expect(ends).toEqual([
    'problem report',
    'export',
    'comparison',
    'replay',
    'history retention',
    'listener of the model: chats',
    'settings listener: chats',
    'chat speaker',
    'global keys',
    'settings listener: talk journal',
    'talk',
    'talk tapes',
    'requests of talks',
    'talk journal',
    'notice listener: pictures of the talk record',
    'notice listener: microphone sounds',
    'microphone sounds',
    'tape transcriber',
    'user transcript',
    'settings listener: user transcript',
    'reminders',
    'tool servers',
    'tools',
    'suggestions for the memory',
    'settings listener: memory',
    'history listener: memory',
    'notice listener: passages for talks',
    'memory',
    'history',
    'settings listener: talk recorder',
    'retention',
    'settings listener: vision',
    'voices',
    'server connections',
    'settings listener: model',
    'model on this computer',
    'model servers',
    'model files',
    'proxy',
    'server profiles and tokens',
    'settings',
    'picture thread',
    'picture thread',
  ]);
});
