import { describe, expect, it } from 'vitest';
import { sayEnding, sayTrouble, sayWhy } from '../../../../renderer/parts/say-reason.ts';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';
import { judgedReasons } from '../../../../electron/conversation/policies/ending-verdict.ts';

const english = (await createI18n('en')).t;
const chinese = (await createI18n('zh')).t;

describe('what the core tells by a code', () => {
  it('is said in the page’s language, with the server’s own words behind it', () => {
    const facts = { reason: 'queue_full', said: '42 waiting' };
    expect(sayEnding(chinese, facts)).toBe(
      '服务器的队列满了。请过几分钟再试。服务器说明：42 waiting',
    );
    expect(sayEnding(english, facts)).toMatch(/^The server’s queue is full.* 42 waiting$/);
  });

  it('is told by status and by what stood in the way where there is such', () => {
    expect(sayEnding(chinese, { reason: 'refused', status: 401 })).toContain('（401）');
    expect(sayEnding(chinese, { reason: 'refused', status: 503 })).toContain('一分钟');
    const why = { is: 'nothingListens', server: 'home:8006' } as const;
    expect(sayEnding(chinese, { reason: 'unreachable', why })).toContain(
      'home:8006 没有程序在监听',
    );
    expect(sayWhy(chinese, 'noMicrophone', 'x')).toContain('麦克风');
  });

  it('is the core’s own sentence where nobody has words for it', () => {
    expect(sayWhy(chinese, undefined, 'As it was.')).toBe('As it was.');
    expect(sayTrouble(chinese, { code: 'tape', sentence: 'As it was.' })).toBe('As it was.');
  });

  it('tells apart what Parley cannot read and what the server reports', () => {
    expect(sayTrouble(chinese, { code: 'malformed', sentence: 'No JSON.' })).not.toMatch(/JSON/);
    expect(sayTrouble(chinese, { code: 'busy', sentence: 'Step 3' })).toContain('Step 3');
  });

  it('has words of its own for every reason that the core judges by, but the odd ones', () => {
    const without = judgedReasons.filter((reason) =>
      sayEnding(chinese, { reason }).includes(`（${reason}）`),
    );
    expect(without).toEqual(['closed_1005', 'closed_1014', 'refused']);
    expect(sayEnding(chinese, { reason: 'x'.repeat(5000) }).length).toBeLessThan(150);
  });
});
