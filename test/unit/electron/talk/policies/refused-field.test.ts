import { describe, expect, it } from 'vitest';
import type { Fault, ServerProfile } from '../../../../../electron/gateway/gateway-options.ts';
import {
  judgeEnding,
  refusedField,
} from '../../../../../electron/talk/policies/reconnect-policy.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { sessionError, wireReason } from '../../../../../shared/errors/session-reasons.ts';
import { describeAppError } from '../../../../../shared/i18n/en/errors.ts';
import type { GenerationOptions } from '../../../../../shared/protocol/realtime-api.ts';
import { ConversationHarness } from '../conversation-harness.ts';
import { askAndWait, gatewayHarness } from '../gateway-harness.ts';

const generation = {
  topK: 20,
  temperature: 0.5,
  other: { tone: 'calm', 'odd.name(': 1, topKind: 2 },
};

const fieldIn = (said: string) =>
  refusedField({ error: sessionError('backend_error', said), by: 'server' }, generation)?.error;

describe('a configuration field that the server names when it ends the session', () => {
  it.each([
    ["__init__() got an unexpected keyword argument 'top_k'", 'top_k'],
    ['config.top_k: extra fields not permitted', 'top_k'],
    ['字段top_k无效', 'top_k'],
    ['topKind is deprecated', 'topKind'],
    ["unexpected keyword argument 'tone'", 'tone'],
    ['unknown field tone', 'tone'],
    ['config.tone is not known', 'tone'],
    ['tone: must be loud', 'tone'],
    ['bad field “temperature”; known are top_k and top_p', 'temperature'],
    ['no such option "odd.name("', 'odd.name('],
  ])('is found in “%s”', (said, field) => {
    expect(fieldIn(said)).toEqual(
      appError('fieldRefused', { field, reason: 'backend_error' }, { detail: said }),
    );
  });

  it.each([
    ['CUDA out of memory'],
    ['the temperature of the card is too high'],
    ['in this tone nobody speaks to a server'],
    ['top_kind is not known'],
    ['my_top_k is not known'],
    ["unexpected keyword argument 'length_penalty'"],
    [''],
  ])('is not found in “%s”', (said) => {
    expect(fieldIn(said)).toBeUndefined();
  });

  it('is not searched if the user or the network ended the session, or nothing was sent', () => {
    const error = sessionError('backend_error', "'top_k'");
    expect(refusedField({ error, by: 'client' }, generation)).toBeUndefined();
    expect(refusedField({ error, by: 'network' }, generation)).toBeUndefined();
    expect(refusedField({ error, by: 'server' }, undefined)).toBeUndefined();
    expect(refusedField({ error, by: 'server' }, {})).toBeUndefined();
  });

  it('is found behind a hint, keeps the server’s reason, and is not retried', () => {
    const cause = sessionError('invalid_payload', 'unknown field top_k');
    const hint = appError('otherDialectHint', {}, { cause });
    const found = refusedField({ error: hint, by: 'server' }, generation);
    expect(found?.error.code).toBe('fieldRefused');
    expect(found && wireReason(found.error)).toBe('invalid_payload');
    expect(found && judgeEnding({ ...found, by: 'server' })).toEqual({ kind: 'endpoint' });
  });
});

const fault: Fault = { kind: 'refusedField', field: 'beam_width' };

function talk(profile: ServerProfile, generation: GenerationOptions, dialect: 'auto' | 'unified') {
  const harness = gatewayHarness(
    { profile, faults: [fault] },
    { settings: { generation }, dialect },
  );
  for (let tries = 0; tries < 30 && harness.phases.at(-1) === 'connecting'; tries += 1)
    harness.pass(1000);
  return harness;
}

describe.each(['documented', 'deployed'] as const)(
  'a %s server that rejects a field',
  (profile) => {
    it.each(['auto', 'unified'] as const)('is identified by the field’s name (%s)', (dialect) => {
      const harness = talk(profile, { topK: 5, other: { beam_width: 4 } }, dialect);
      const { state } = harness;
      if (state?.phase !== 'ended') throw new Error(`it is ${state?.phase}`);
      expect(state.offer).toBe('checkEndpoint');
      const { error } = state.ending;
      expect(error.facts).toMatchObject({ field: 'beam_width' });
      expect(describeAppError(error)).toMatch(/^The server does not take “beam_width”/u);
    });

    it('answers if the field was not sent', () => {
      const harness = talk(profile, { topK: 5 }, 'auto');
      askAndWait(harness);
      expect(harness.emittedOf('audio')).not.toEqual([]);
    });
  },
);

it('a server that has answered accepted the fields, so its end has another cause', () => {
  const named = { by: 'server', orderly: false, error: sessionError('backend_error', 'no top_k') };
  const end = (answers: boolean) => {
    const harness = new ConversationHarness({ settings: { generation: { topK: 5 } } }).live();
    if (answers) harness.session.emit({ event: 'text', turn: 1, text: 'Hello' });
    harness.session.close({ event: 'closed', ...named, by: 'server' });
    return harness.state;
  };
  expect(end(false)).toMatchObject({ phase: 'ended', ending: { error: { code: 'fieldRefused' } } });
  expect(end(true)).toMatchObject({ phase: 'reconnecting', error: { code: 'modelFailed' } });
});
