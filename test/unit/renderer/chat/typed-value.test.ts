import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import {
  typedValueOf,
  withConfirmedValue,
  withSentValue,
} from '../../../../renderer/chat/options-sheet.tsx';
import { deferred } from '../../../fakes/deferred.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';

describe('a field of the options', () => {
  it('keeps what is typed while the core posts what was typed before', () => {
    let typing = withSentValue({ ...typedValueOf<number | undefined>(undefined), text: '5' }, 5);
    typing = withSentValue({ ...typing, text: '51' }, 51);
    typing = withConfirmedValue({ ...typing, text: '512' }, 5);
    expect(typing).toEqual({ text: '512', seen: 5, sent: [51] });
    expect(withConfirmedValue(typing, 51)).toEqual({ text: '512', seen: 51, sent: [] });
  });

  it('keeps it also where what came between was never posted', () => {
    const typing = withSentValue(withSentValue(typedValueOf(''), 'a'), 'ab');
    expect(withConfirmedValue({ ...typing, text: 'abc' }, 'ab')).toEqual({
      text: 'abc',
      seen: 'ab',
      sent: [],
    });
  });

  it('shows what was set elsewhere', () => {
    const typing = withSentValue(typedValueOf('a'), 'ab');
    expect(withConfirmedValue(typing, 'reset')).toEqual({ text: 'reset', seen: 'reset', sent: [] });
  });
});

describe('the options', () => {
  it('are all set that were set while the first was still on its way', async () => {
    const first = deferred();
    const { bridge, asked } = fakeBridge({ until: { setChatOptions: first.promise } });
    const { actions } = createAppContext({ bridge, capture: fakeCapture().capture, now: () => 0 });
    const setting = actions.chat.setOptions({ voice: 'ann' });
    void actions.chat.setOptions({ speech: true });
    void actions.chat.setOptions({ thinking: true });
    first.resolve();
    await setting;
    const inputs = asked.filter(({ name }) => name === 'setChatOptions').map(({ input }) => input);
    expect(inputs).toMatchObject([
      { voice: 'ann', speech: false },
      { voice: 'ann', speech: true, thinking: true },
    ]);
  });
});
