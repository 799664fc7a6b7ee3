import { expect, it } from 'vitest';
import { applyNotice } from '../../../../renderer/app/apply-notice.ts';
import { initialUiState } from '../../../../renderer/app/ui-state.ts';
import type { TalkLimits } from '../../../../shared/talk/talk-state.ts';

const warning = { limit: 'time', threshold: 15, secondsLeft: 15 } as const;

it.each<readonly [string, Partial<TalkLimits>, boolean]>([
  ['stays while less is left', { seconds: 12 }, true],
  ['stays if the context ends the session sooner', { seconds: 300, tokenSeconds: 9 }, true],
  ['disappears if another session has more time', { seconds: 300 }, false],
  ['disappears if the next session announces no limit', {}, false],
])('a time limit warning %s', (_what, left, stays) => {
  const known = { seconds: undefined, tokens: undefined, tokenSeconds: undefined, pruning: false };
  const payload = { ...known, ...left };
  const change = applyNotice({ ...initialUiState, warning }, { name: 'talkLimits', payload }, 5);
  expect({ warning, ...change }.warning).toEqual(stays ? warning : undefined);
  expect(change.limits).toEqual({ value: payload, at: 5 });
});
