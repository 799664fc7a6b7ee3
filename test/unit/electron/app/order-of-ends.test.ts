import { expect, it, vi } from 'vitest';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

/**
 * Parts that end earlier write to parts that end later: a talk to its tape, a tape to the history, all of them
 * to the settings.
 */
it('Parley closes in the reverse order of opening: a talk, its tape, the journal, the history, the connections, the settings', async () => {
  const add = vi.spyOn(Lifetime.prototype, 'add');
  const { lifetime } = coreWithFakes(workFolder()('state'));
  const ends = add.mock.calls.map(([release, name = release.name]) => name).toReversed();
  add.mockRestore();
  await lifetime.end();
  expect(ends).toEqual([
    'a report',
    'an export',
    'a comparison',
    'the replay',
    'the removal of what is old',
    'what is set about written conversations',
    'the speaker of written conversations',
    'the global key',
    'what is set about the journal',
    'the talk',
    'the tapes of talks',
    'the journal of the talk',
    'the pictures that are kept of a talk',
    'what the sounds of the microphone hear',
    'the sounds of the microphone',
    'the words of a tape',
    'the own words',
    'what is set about own words',
    'the history',
    'what is set about keeping talks',
    'the calendar of what is kept',
    'the settings of vision',
    'the voices',
    'the connections',
    'the proxy',
    'servers and tokens',
    'the settings',
    'a thread for pictures',
    'a thread for pictures',
  ]);
});
