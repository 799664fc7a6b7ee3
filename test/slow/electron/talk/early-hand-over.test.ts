import { describe, expect, it } from 'vitest';
import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import { englishTalkToolPrompts } from '../../../../shared/i18n/en/prompts.ts';
import { askAndWait, gatewayStage } from '../../../unit/electron/talk/gateway-stage.ts';
import { medianOf, serverKinds } from '../../../unit/electron/talk/long-talk.ts';

const requests = 10;

describe.each(serverKinds)('results of tools in a talk, %s and %s', (dialect, profile) => {
  it('reach the voice without a gap in answers, a lost word or a reconnect', () => {
    const stage = gatewayStage(
      { dialect, profile },
      {
        handsOver: true,
        talkTools: englishTalkToolPrompts,
        bargeIn: { ...defaultBargeInOptions, enabled: false },
      },
    );
    for (let waited = 0; waited < 30 && stage.state?.phase !== 'live'; waited += 1)
      stage.pass(1000);
    const before = stage.phases.length;
    for (let count = 0; count < requests; count += 1) {
      askAndWait(stage);
      stage.pass(20_000);
      const result = { id: `r${count}`, asked: 'Calculate 6 * 7', calls: [], answer: '42' };
      stage.talk.addResult(result, 300);
      stage.pass(8000);
      expect(stage.emittedOf('resultsGiven').at(-1)?.ids).toContain(`r${count}`);
    }
    const held = stage.emittedOf('handedOver').map(({ heldMs }) => heldMs);
    expect(held).toHaveLength(requests);
    expect(medianOf(held)).toBeLessThanOrEqual(300);
    expect(Math.max(...held)).toBeLessThanOrEqual(700);
    expect(stage.phases.slice(before)).toEqual([]);
    const heard = stage.emittedOf('turnHeard');
    expect(heard.filter(({ cut }) => cut !== '')).toEqual([]);
    expect(heard).toHaveLength(requests);
  });
});
