import { describe, expect, it } from 'vitest';
import type { Fault, ServerProfile } from '../../../../electron/gateway/gateway-options.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { GenerationOptions } from '../../../../shared/protocol/client-event.ts';
import { askAndWait, gatewayStage } from './gateway-stage.ts';
import { Stage } from './stage.ts';

const fault: Fault = { kind: 'refusedField', field: 'beam_width' };

function talk(profile: ServerProfile, generation: GenerationOptions, dialect: 'auto' | 'unified') {
  const stage = gatewayStage({ profile, faults: [fault] }, { settings: { generation }, dialect });
  for (let tries = 0; tries < 30 && stage.phases.at(-1) === 'connecting'; tries += 1)
    stage.pass(1000);
  return stage;
}

describe.each(['documented', 'deployed'] as const)(
  'a %s server that rejects a field',
  (profile) => {
    it.each(['auto', 'unified'] as const)('is identified by the field’s name (%s)', (dialect) => {
      const stage = talk(profile, { topK: 5, other: { beam_width: 4 } }, dialect);
      const { state } = stage;
      if (state?.phase !== 'ended') throw new Error(`it is ${state?.phase}`);
      expect(state.offer).toBe('checkEndpoint');
      const { error } = state.ending;
      expect(error.facts).toMatchObject({ field: 'beam_width' });
      expect(describeAppError(error)).toMatch(/^The server does not take “beam_width”/u);
    });

    it('answers if the field was not sent', () => {
      const stage = talk(profile, { topK: 5 }, 'auto');
      askAndWait(stage);
      expect(stage.emittedOf('audio')).not.toEqual([]);
    });
  },
);

it('a server that has answered accepted the fields, so its end has another cause', () => {
  const named = { by: 'server', orderly: false, error: sessionError('backend_error', 'no top_k') };
  const end = (answers: boolean) => {
    const stage = new Stage({ settings: { generation: { topK: 5 } } }).live();
    if (answers) stage.session.emit({ event: 'text', turn: 1, text: 'Hello' });
    stage.session.close({ event: 'closed', ...named, by: 'server' });
    return stage.state;
  };
  expect(end(false)).toMatchObject({ phase: 'ended', ending: { error: { code: 'fieldRefused' } } });
  expect(end(true)).toMatchObject({ phase: 'reconnecting', error: { code: 'modelFailed' } });
});
