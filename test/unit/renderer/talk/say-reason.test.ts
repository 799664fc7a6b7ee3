import { describe, expect, it } from 'vitest';
import { sayEnding, sayTrouble, sayWhy } from '../../../../renderer/talk/say-reason.ts';
import { openWords } from '../../../../renderer/words/open-words.ts';
import { judgedReasons } from '../../../../electron/care/ending-verdicts.ts';

const english = openWords('en').t;
const chinese = openWords('zh').t;

describe('what the core tells by a code', () => {
  it('is said in the page’s language, with the server’s own words behind it', () => {
    const facts = { reason: 'queue_full', said: '42 waiting' };
    expect(sayEnding(chinese, facts, 'x')).toBe(
      '服务器的队列满了。请过几分钟再试。 服务器说明：42 waiting',
    );
    expect(sayEnding(english, facts, 'x')).toMatch(/^The server’s queue is full.* 42 waiting$/);
  });

  it('is told by status and by what stood in the way where there is such', () => {
    expect(sayEnding(chinese, { reason: 'refused', status: 401 }, 'x')).toContain('（401）');
    expect(sayEnding(chinese, { reason: 'refused', status: 503 }, 'x')).toContain('一分钟');
    expect(sayEnding(chinese, { reason: 'unreachable', why: 'nothingListens' }, 'x')).toContain(
      '监听',
    );
    expect(sayWhy(chinese, 'noMicrophone', 'x')).toContain('麦克风');
  });

  it('is the core’s own sentence where nobody has words for it', () => {
    expect(sayEnding(chinese, { reason: 'closed_4999' }, 'As it was.')).toBe('As it was.');
    expect(sayWhy(chinese, undefined, 'As it was.')).toBe('As it was.');
    expect(sayTrouble(chinese, { code: 'tape', sentence: 'As it was.' })).toBe('As it was.');
  });

  it('tells apart what Parley cannot read and what the server reports', () => {
    expect(sayTrouble(chinese, { code: 'malformed', sentence: 'No JSON.' })).not.toMatch(/JSON/);
    expect(sayTrouble(chinese, { code: 'busy', sentence: 'Step 3' })).toContain('Step 3');
  });

  it('has words for nearly every reason that the core judges by', () => {
    const without = judgedReasons.filter(
      (reason) => sayEnding(chinese, { reason }, 'English.') === 'English.',
    );
    expect(without).toEqual(['closed_1005', 'closed_1014', 'no_chat_in_legacy', 'refused']);
  });
});
