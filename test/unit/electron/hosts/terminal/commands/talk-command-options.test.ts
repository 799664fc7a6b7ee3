import { describe, expect, it } from 'vitest';
import { englishPresets } from '../../../../../../shared/i18n/en/prompts.ts';
import { byPerson } from '../../../talk/stage.ts';
import { TalkCommandHarness } from './talk-command-harness.ts';

const byVoice = ['--mic', '--speaker'];

describe('the options of a talk', () => {
  it('are sent to the server', async () => {
    const how = [
      '--mode',
      'video',
      '--slices',
      '4',
      '--length-penalty',
      '1.3',
      '--preset',
      'coach',
    ];
    const fields = ['--config', 'top_k=5', '--config', 'ls_mode=explicit', '--yielding', 'never'];
    const stage = await new TalkCommandHarness().start(...byVoice, ...how, ...fields);
    expect(stage.session.options).toMatchObject({
      mode: 'video',
      yielding: 'never',
      settings: {
        instructions: englishPresets.coach.instructions,
        maxSlices: 4,
        generation: { lengthPenalty: 1.3, other: { top_k: 5, ls_mode: 'explicit' } },
      },
    });
    await stage.ctrlC();
    stage.session.enter('closing').close(byPerson);
    await stage.pass(100);
  });

  it.each([
    ['--warnings', ['The model can remember 15 more seconds of this session.']],
    [undefined, []],
  ])('report what is left of a session only if requested: %s', async (option, told) => {
    const asked = option === undefined ? [] : [option];
    const stage = await new TalkCommandHarness().start(...byVoice, ...asked);
    stage.live();
    stage.session.emit({ event: 'metrics', metrics: { contextTokens: 7936, values: {} } });
    await stage.pass(100);
    expect(stage.err.split('\n').filter((line) => line.includes('remember'))).toEqual(told);
    await stage.ctrlC();
    stage.session.enter('closing').close(byPerson);
    await stage.pass(100);
  });

  it('warn earlier for the model on this computer, whose context is smaller', async () => {
    const stage = new TalkCommandHarness();
    const { endpoints } = stage.settings;
    stage.settings = { ...stage.settings, endpoints: { ...endpoints, chosen: 'computer' } };
    await stage.start(...byVoice, '--warnings');
    stage.live();
    stage.session.emit({ event: 'metrics', metrics: { contextTokens: 3840, values: {} } });
    await stage.pass(100);
    expect(stage.err).toContain('The model can remember');
    await stage.ctrlC();
    stage.session.enter('closing').close(byPerson);
    await stage.pass(100);
  });
});
