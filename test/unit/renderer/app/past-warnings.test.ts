import { expect, it } from 'vitest';
import { applyNotice } from '../../../../renderer/app/apply-notice.ts';
import { initialUiState } from '../../../../renderer/app/ui-state.ts';
import type { TalkLimits } from '../../../../shared/talk/talk-state.ts';

const warning = { limit: 'time', threshold: 15, secondsLeft: 15 } as const;

it.each<readonly [string, Partial<TalkLimits>, boolean]>([
  ['stays while less is left', { seconds: 12 }, true],
  ['stays where the context ends it sooner', { seconds: 300, tokenSeconds: 9 }, true],
  ['goes where another session has taken over', { seconds: 300 }, false],
  ['goes where nothing is known of the next one', {}, false],
])('a time limit warning %s', (_what, left, stays) => {
  const known = { seconds: undefined, tokens: undefined, tokenSeconds: undefined, pruning: false };
  const payload = { ...known, ...left };
  const change = applyNotice({ ...initialUiState, warning }, { name: 'talkLimits', payload }, 5);
  expect({ warning, ...change }.warning).toEqual(stays ? warning : undefined);
  expect(change.limits).toEqual({ value: payload, at: 5 });
});
