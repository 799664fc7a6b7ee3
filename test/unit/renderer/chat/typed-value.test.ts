import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import {
  createTypedValue,
  withConfirmedValue,
  withSentValue,
} from '../../../../renderer/chat/options-sheet.tsx';
import { deferred } from '../../../fakes/deferred.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';

describe('an options field', () => {
  it('keeps newer text when the core confirms an older value', () => {
    let typing = withSentValue(
      { ...createTypedValue<number | undefined>(undefined), text: '5' },
      5,
    );
    typing = withSentValue({ ...typing, text: '51' }, 51);
    typing = withConfirmedValue({ ...typing, text: '512' }, 5);
    expect(typing).toEqual({ text: '512', posted: 5, sent: [51] });
    expect(withConfirmedValue(typing, 51)).toEqual({ text: '512', posted: 51, sent: [] });
  });

  it('keeps newer text when the core skips a value', () => {
    const typing = withSentValue(withSentValue(createTypedValue(''), 'a'), 'ab');
    expect(withConfirmedValue({ ...typing, text: 'abc' }, 'ab')).toEqual({
      text: 'abc',
      posted: 'ab',
      sent: [],
    });
  });

  it('shows a value that was set elsewhere', () => {
    const typing = withSentValue(createTypedValue('a'), 'ab');
    expect(withConfirmedValue(typing, 'reset')).toEqual({
      text: 'reset',
      posted: 'reset',
      sent: [],
    });
  });
});

describe('the chat options', () => {
  it('send all changes made while the first request was pending', async () => {
    const first = deferred();
    const { bridge, asked } = fakeBridge({ until: { setChatOptions: first.promise } });
    const { actions } = createAppContext({ bridge, capture: fakeCapture().capture, now: () => 0 });
    const pending = actions.chat.setOptions({ voice: 'ann' });
    void actions.chat.setOptions({ speech: true });
    void actions.chat.setOptions({ thinking: true });
    first.resolve();
    await pending;
    const inputs = asked.filter(({ name }) => name === 'setChatOptions').map(({ input }) => input);
    expect(inputs).toMatchObject([
      { voice: 'ann', speech: false },
      { voice: 'ann', speech: true, thinking: true },
    ]);
  });
});
