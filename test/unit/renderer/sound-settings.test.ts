import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RoomJudgement, RoomStep } from '../../../shared/audio/sound-tests.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { RequestName } from '../../../shared/ipc/contract.ts';
import { deferred, flushPromises } from '../../fakes/promises.ts';
import { openApp } from './open-app.ts';
import { checkVoiceFile } from '../../../renderer/settings/voices/voices-section.tsx';
import { encodeWavHeader } from '../../../shared/audio/wav.ts';

const good: RoomJudgement = { noiseDb: -62, person: { attenuationDb: 1 }, isClipped: false };

/** A page that runs a room test; the core replies when `end` is called. */
async function open({
  refused = [],
  kept = { kind: 'folder', path: '/rooms' },
}: { readonly refused?: readonly RequestName[]; readonly kept?: object } = {}) {
  const test = deferred();
  const core = {
    refused,
    values: { testRoom: good, keepRoom: kept },
    until: { testRoom: test.promise },
  };
  const app = openApp(core, { now: () => 700 });
  await flushPromises();
  const settingsUi = () => app.store.getState().settingsUi;
  return {
    room: app.actions.setup.room,
    test: () => settingsUi().roomTest,
    problem: () => settingsUi().fields['roomTest']?.problem,
    step: (payload: RoomStep) => {
      app.notice({ name: 'roomStep', payload });
    },
    end: async () => {
      test.resolve();
      await flushPromises();
    },
    times: (name: RequestName) => app.inputs(name).length,
  };
}

describe('a room test', () => {
  it('explains itself before any request', async () => {
    const { room, test, times } = await open();
    room.explain();
    expect(test()).toEqual({ step: 'explained' });
    await room.cancel();
    expect(test()).toBeUndefined();
    expect(times('testRoom') + times('forgetRoom')).toBe(0);
  });

  it('advances by step on the page’s clock, up to the result', async () => {
    const { room, test, step, end, times } = await open();
    void room.begin();
    expect(test()).toEqual({ step: 'opening' });
    step({ step: 'alone', ms: 7400 });
    expect(test()).toEqual({ step: 'alone', ms: 7400, at: 700 });
    step({ step: 'ready' });
    await room.ready();
    expect(times('speakInRoom')).toBe(1);
    await end();
    expect(test()).toEqual({ step: 'judged', found: good });
    // A late step, or one of a different page.
    step({ step: 'judging' });
    expect(test()).toEqual({ step: 'judged', found: good });
  });

  it('ignores results after it was stopped', async () => {
    const { room, test, step, end, times, problem } = await open({ refused: ['testRoom'] });
    void room.begin();
    step({ step: 'over', ms: 7400 });
    await room.cancel();
    expect(test()).toEqual({ step: 'closed', why: 'stopped' });
    expect(times('forgetRoom')).toBe(1);
    await end();
    step({ step: 'judging' });
    expect(test()).toEqual({ step: 'closed', why: 'stopped' });
    expect(problem()).toBeUndefined();
  });

  it('shows why it failed, until the next test', async () => {
    const { room, test, end, problem } = await open({ refused: ['testRoom'] });
    void room.begin();
    await end();
    expect(test()).toBeUndefined();
    expect(problem()).toEqual(appError('noTalk'));
    room.explain();
    expect(problem()).toBeUndefined();
  });

  it('is discarded silently when the page is left, during the test or after it', async () => {
    const { room, test, end, times } = await open();
    await room.leave();
    expect(times('forgetRoom')).toBe(0);
    void room.begin();
    await room.leave();
    expect(times('forgetRoom')).toBe(1);
    void room.begin();
    await end();
    expect(test()?.step).toBe('judged');
    await room.leave();
    expect(times('forgetRoom')).toBe(2);
    expect(test()).toBeUndefined();
  });
});

describe('a room recording', () => {
  it('is saved where the user chooses, and the path is shown', async () => {
    const { room, test, end, times } = await open();
    void room.begin();
    await end();
    await room.keep();
    expect(test()).toEqual({ step: 'kept', where: { kind: 'folder', path: '/rooms' } });
    await room.showFolder();
    expect(times('showSaved')).toBe(1);
    await room.cancel();
    expect(test()).toBeUndefined();
    expect(times('forgetRoom')).toBe(0);
  });

  it('stays unsaved after a cancelled dialog or an error', async () => {
    for (const options of [{ kept: { kind: 'cancelled' } }, { refused: ['keepRoom'] as const }]) {
      const { room, test, end, problem } = await open(options);
      void room.begin();
      await end();
      await room.keep();
      expect(test()?.step).toBe('judged');
      expect(problem()).toEqual('kept' in options ? undefined : appError('noTalk'));
    }
  });

  it('is discarded with a message', async () => {
    const { room, test, end, times } = await open();
    void room.begin();
    await end();
    await room.discard();
    expect(test()).toEqual({ step: 'closed', why: 'thrownAway' });
    expect(times('forgetRoom')).toBe(1);
  });
});

describe('a microphone', () => {
  beforeEach(() => {
    vi.useFakeTimers();
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

    it('is shown as lost when the connection or the microphone is lost', async () => {
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

    it('is saved only once, even if it reaches its maximum length', async () => {
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

    it('shows a problem that is posted before the reply, until the meter is turned off', async () => {
      const { setup, settingsUi, microphone, notice } = await open();
      const on = setup.setMeter(true);
      const error = appError('noMicrophone');
      notice({ name: 'microphoneMeter', payload: { kind: 'problem', error } });
      microphone.resolve();
      await on;
      expect(settingsUi().fields).toEqual({ meter: { problem: error } });
      await setup.setMeter(false);
      expect(settingsUi().fields).toEqual({});
    });

    it('stays off while another section or page uses its own meter', async () => {
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

    it('belongs to the latest request, even if a cancelled one starts late', async () => {
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
});

/** A WAV file of this length, of which every part reads as its header. */
function fileOf(seconds: number, rate = 16_000): Blob {
  const head = encodeWavHeader({ rate, channels: 1, coding: 'pcm16' }, seconds * rate);
  return {
    size: head.length + seconds * rate * 2,
    slice: () => new Blob([new Uint8Array(head)]),
  } as unknown as Blob;
}

describe('a voice file', () => {
  it('is refused by its header if it lasts an hour', async () => {
    expect(await checkVoiceFile(fileOf(3600))).toEqual({ kind: 'tooLong', minutes: 60 });
    expect(await checkVoiceFile(fileOf(3600, 8000))).toEqual({ kind: 'tooLong', minutes: 60 });
    expect(await checkVoiceFile(fileOf(120))).toBeUndefined();
  });

  it('is refused by its size without a readable header', async () => {
    const film = { size: 2_000_000_000, slice: () => new Blob(['film']) } as unknown as Blob;
    expect(await checkVoiceFile(film)).toEqual({ kind: 'tooLarge', megabytes: 2000 });
    // The core reports files that are not WAV.
    expect(await checkVoiceFile(new Blob(['text']))).toBeUndefined();
  });

  it('is refused if it no longer exists', async () => {
    const gone = {
      size: 1,
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }),
    } as unknown as Blob;
    expect(await checkVoiceFile(gone)).toEqual({ kind: 'notRead' });
  });
});
