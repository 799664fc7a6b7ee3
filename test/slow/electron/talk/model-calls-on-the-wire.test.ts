import { afterEach, describe, expect, it } from 'vitest';
import { endStages, SpokenRequestStage } from './spoken-request-stage.ts';

afterEach(endStages);

/** A server whose model calls the reminder after its first answer. */
const callingTalk = (
  changes: Parameters<SpokenRequestStage['talk']>[0] = {},
  takesTools = true,
): Promise<SpokenRequestStage> => new SpokenRequestStage({ takesTools }).talk(changes);

const results = (stage: SpokenRequestStage): readonly string[] =>
  stage.sent.filter((frame) => frame.includes('input.tool_result'));

/** The user says something, and the model calls a tool, which waits for the user. */
async function untilCalled(stage: SpokenRequestStage): Promise<SpokenRequestStage> {
  await stage.say('story');
  return stage.until(() => stage.question !== undefined);
}

describe('a talk with a server that takes tools', () => {
  it('sends them at init, asks before its model’s call, and answers it', async () => {
    const stage = await callingTalk();
    const init = stage.sent.find((frame) => frame.includes('session.init')) ?? '';
    expect(init).toContain('"name":"set_reminder"');
    expect(init).not.toContain('<tools>');
    await untilCalled(stage);
    expect(results(stage)).toEqual([]);
    expect(stage.question).toMatchObject({ tool: 'set_reminder', server: '' });
    await stage.decide('once');
    await stage.until(() => stage.request?.state === 'done');
    expect(stage.request).toMatchObject({ words: '', voice: 'knows' });
    await stage.until(() => results(stage).length > 0);
    const [result = '{}'] = results(stage);
    expect(JSON.parse(result)).toMatchObject({
      tool_call_id: 'call_1',
      contents: [{ kind: 'text' }],
    });
    expect(result).toContain('The reminder is set.');
    expect(result).toContain('not written by the user');
    expect((await stage.core.ask('tools', undefined)).reminders).toMatchObject([
      { text: 'call home' },
    ]);
    await stage.until(
      () => stage.core.talk.view.captions.some(({ text }) => text.includes('The tool says')),
      20,
    );
    expect(stage.isLive).toBe(true);
  });

  it('makes no call that the user denies, and tells its model', async () => {
    const stage = await untilCalled(await callingTalk());
    await stage.decide('deny');
    await stage.until(() => results(stage).length > 0);
    expect(results(stage)[0]).toContain('The user did not allow this.');
    expect((await stage.core.ask('tools', undefined)).reminders).toEqual([]);
  });

  it('stops a call that the user stops, and tells its model', async () => {
    const stage = await untilCalled(await callingTalk());
    await stage.core.ask('stopTalkRequest', undefined);
    await stage.until(() => results(stage).length > 0);
    expect(results(stage)[0]).toContain('The call was stopped.');
    expect(stage.request).toMatchObject({ state: 'stopped', voice: 'no' });
    expect((await stage.core.ask('tools', undefined)).reminders).toEqual([]);
  });

  it('leaves spoken requests to its model', async () => {
    const stage = await callingTalk({ tools: { reminders: false } });
    await stage.say('sum');
    await stage.until(() => stage.question !== undefined);
    await stage.decide('deny');
    await stage.pass(8000);
    expect(stage.requests.map(({ words }) => words)).toEqual(['']);
  });

  it('refuses a call that comes while a request runs', async () => {
    const stage = await callingTalk();
    await stage.core.ask('askInTalk', { text: 'Calculate 6 * 7' });
    await stage.say('story');
    await stage.until(() => results(stage).length > 0);
    expect(results(stage)[0]).toContain('still busy');
    expect(stage.requests).toHaveLength(1);
  });
});

it.each([
  ['the server does not announce them', {}, false],
  ['tools in talks are off', { tools: { talks: false } }, true],
] as const)('a talk sends no tools while %s', async (_why, changes, takesTools) => {
  const stage = await callingTalk(changes, takesTools);
  await stage.say('story');
  await stage.pass(9000);
  const init = stage.sent.find((frame) => frame.includes('session.init')) ?? '';
  expect(init).not.toContain('"tools"');
  expect(stage.requests).toEqual([]);
});

it('an incognito talk sends no tools', async () => {
  const stage = new SpokenRequestStage({ takesTools: true });
  await stage.core.ask('setIncognito', { on: true });
  await stage.talk();
  const init = stage.sent.find((frame) => frame.includes('session.init')) ?? '';
  expect(init).not.toContain('"tools"');
});
