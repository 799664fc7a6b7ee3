import { describe, expect, it } from 'vitest';
import { judgeEnding } from '../../../../../electron/talk/policies/reconnect-policy.ts';
import { refusedField } from '../../../../../electron/talk/policies/refused-field.ts';
import { appError, sessionError, wireReason } from '../../../../../shared/errors/app-error.ts';
import { ConversationHarness } from '../conversation-harness.ts';

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
