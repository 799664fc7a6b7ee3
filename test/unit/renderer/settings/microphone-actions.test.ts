import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { appError } from '../../../../shared/errors/app-error.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { openApp } from '../open-app.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

/** A page whose core opens microphones when the test releases them. */
async function open(works = true) {
  const microphone = deferred();
  const until = {
    recordVoice: microphone.promise,
    recordClip: microphone.promise,
    meterMicrophone: microphone.promise,
  };
  const app = openApp({ works, until });
  const { store, actions } = app;
  await settle();
  return {
    ...app,
    until,
    microphone,
    setup: actions.setup,
    chat: actions.chat,
    settingsUi: () => store.getState().settingsUi,
    slice: () => store.getState().chat,
  };
}

describe('a voice recording', () => {
  it('is cancelled if the section closes before the microphone is open', async () => {
    const { setup, settingsUi, microphone, inputs } = await open();
    const recording = setup.recordVoice('Mine');
    setup.stopVoices();
    expect(inputs('cancelVoiceRecording')).toHaveLength(1);
    microphone.resolve();
    await recording;
    expect(settingsUi().voiceRecording).toBeUndefined();
  });

  it('shows no error if it was cancelled before its start', async () => {
    const { setup, settingsUi, microphone } = await open(false);
    const recording = setup.recordVoice('Mine');
    setup.cancelVoice();
    microphone.resolve();
    await recording;
    expect(settingsUi().fields).toEqual({});
  });

  it('is shown as lost with the connection or the microphone', async () => {
    const { setup, settingsUi, microphone, connection, notice } = await open();
    microphone.resolve();
    for (const lose of [
      () => {
        connection('lost');
      },
      () => {
        notice({ name: 'voiceRecording', payload: { kind: 'stopped' } });
      },
    ]) {
      await setup.recordVoice('Mine');
      expect(settingsUi().voiceRecording).toBeDefined();
      lose();
      expect(settingsUi().voiceRecording).toBeUndefined();
      expect(settingsUi().fields['take']?.problem).toEqual(appError('takeStopped'));
    }
  });

  it('is saved once, even at its maximum length', async () => {
    const { setup, settingsUi, microphone, notice, inputs } = await open();
    microphone.resolve();
    await setup.recordVoice('Mine');
    const keeping = setup.saveVoice();
    notice({ name: 'voiceRecording', payload: { kind: 'full' } });
    expect(settingsUi().voiceRecording?.state).toBe('keeping');
    await Promise.all([keeping, setup.saveVoice()]);
    expect(inputs('saveRecordedVoice')).toHaveLength(1);
    expect(settingsUi().voiceRecording).toBeUndefined();
  });
});

describe('the microphone meter', () => {
  it('closes if the section closes before the microphone is open', async () => {
    const { setup, settingsUi, microphone, inputs } = await open();
    const on = setup.setMeter(true);
    const off = setup.setMeter(false);
    microphone.resolve();
    await Promise.all([on, off]);
    expect(inputs('meterMicrophone')).toEqual([{ on: true }, { on: false }]);
    expect(settingsUi().meter).toBeUndefined();
  });

  it('turns off if the microphone fails or the connection is lost', async () => {
    const failing = await open(false);
    failing.microphone.resolve();
    await failing.setup.setMeter(true);
    expect(failing.settingsUi().meter).toBeUndefined();

    const { setup, settingsUi, microphone, connection } = await open();
    microphone.resolve();
    await setup.setMeter(true);
    expect(settingsUi().meter).toBeDefined();
    connection('lost');
    expect(settingsUi().meter).toBeUndefined();
  });

  it('stays off while a different section or page uses the meter', async () => {
    const { settingsUi, notice } = await open();
    notice({ name: 'microphoneMeter', payload: { kind: 'using', device: 'Mic' } });
    notice({
      name: 'microphoneMeter',
      payload: { kind: 'problem', error: appError('noMicrophone') },
    });
    expect(settingsUi()).toMatchObject({ meter: undefined, fields: {} });
  });
});

describe('a recording for a message', () => {
  it('is cancelled if the section closes before the microphone is open', async () => {
    const { chat, slice, microphone, inputs } = await open();
    const recording = chat.recordClip();
    await chat.leaveClip('Recording');
    microphone.resolve();
    await recording;
    expect(inputs('cancelClip')).toHaveLength(1);
    expect(slice()).toMatchObject({ clip: 'none', notes: [] });
  });

  it('shows the latest recording even if a cancelled one starts late', async () => {
    const { chat, slice, until, microphone } = await open();
    const first = chat.recordClip();
    await chat.cancelClip();
    const second = deferred();
    until.recordClip = second.promise;
    const again = chat.recordClip();
    microphone.resolve();
    await first;
    expect(slice().clip).toBe('opening');
    second.resolve();
    await again;
    expect(slice().clip).toBe('recording');
  });

  it('ignores recordings of other pages', async () => {
    const { slice, notice } = await open();
    for (const kind of ['full', 'stopped'] as const) {
      notice({ name: 'clipRecording', payload: { kind } });
    }
    expect(slice()).toMatchObject({ clip: 'none', notes: [] });
  });
});
