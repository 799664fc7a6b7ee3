import { describe, expect, it } from 'vitest';
import { englishTalkToolPrompts } from '../../../../shared/i18n/en/prompts.ts';
import type { ToolResult } from '../../../../shared/talk/talk-view.ts';
import { lost, Stage } from './stage.ts';

const result: ToolResult = {
  id: 'r1',
  asked: 'Calculate 6 * 7',
  calls: [{ tool: 'calculate', server: '', response: '42' }],
  answer: 'It is 42.',
};

/** A talk in which Parley has answered once, `seconds` after its beginning. */
function answeredTalk(seconds: number, options: ConstructorParameters<typeof Stage>[0] = {}) {
  const stage = new Stage({ handsOver: true, talkTools: englishTalkToolPrompts, ...options });
  return stage
    .live()
    .says('Hello.', 1)
    .pass(2000)
    .ends()
    .pass(seconds * 1000);
}

const sent = (stage: Stage): string => stage.session.options.settings.instructions ?? '';

describe('a result of a tool in a talk', () => {
  it('goes to the next session in the next pause, if sessions begin fast', () => {
    const stage = answeredTalk(25);
    stage.talk.addResult(result, 300);
    stage.pass(3000);
    expect(stage.sessions).toHaveLength(2);
    expect(sent(stage)).toMatch(/Returned by calculate: 42.*Hello\./su);
    expect(stage.emittedOf('resultsGiven')).toEqual([]);
    stage.live().pass(1000);
    expect(stage.emittedOf('handedOver')).toHaveLength(1);
    expect(stage.emittedOf('resultsGiven')).toEqual([{ event: 'resultsGiven', ids: ['r1'] }]);
  });

  it.each([
    ['sessions begin slowly', 1500, {}],
    ['nobody knows how fast sessions begin', undefined, {}],
    ['pictures would be lost', 300, { mode: 'video' }],
    ['the user wants no hand-over', 300, { handsOver: false }],
    [
      'the transcript would not fit',
      300,
      { earlier: Array.from({ length: 99 }, () => ({ text: 'word '.repeat(99), cut: false })) },
    ],
  ] as const)('waits for the next session if %s', (_why, startMs, options) => {
    const stage = answeredTalk(25, options);
    stage.talk.addResult(result, startMs);
    stage.pass(10_000);
    expect(stage.sessions).toHaveLength(1);
    stage.session.close(lost);
    stage.pass(5000);
    expect(stage.sessions).toHaveLength(2);
    expect(sent(stage)).toContain('Returned by calculate: 42');
  });

  it('waits for a pause, and until the session is 20 s old', () => {
    const stage = answeredTalk(5);
    stage.talk.addResult(result, 300);
    stage.pass(5000);
    expect(stage.sessions).toHaveLength(1);
    stage.pass(20_000, 0.4);
    expect(stage.sessions).toHaveLength(1);
    stage.pass(12_000);
    expect(stage.sessions).toHaveLength(2);
  });

  it('is forgotten by a talk that starts over', () => {
    const stage = answeredTalk(5);
    stage.talk.addResult(result, undefined);
    stage.talk.end();
    stage.session.close({ ...lost, by: 'client' });
    stage.talk.continueTalk('nothing');
    expect(sent(stage)).not.toContain('42');
  });
});
