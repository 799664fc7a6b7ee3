import { describe, expect, it } from 'vitest';
import { DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import {
  RoomController,
  type SaveRoom,
} from '../../../../../electron/audio/devices/room-controller.ts';
import type { RoomStep } from '../../../../../shared/audio/sound-tests.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage, type Page } from '../../../../../shared/ipc/page.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { unwrapAnswer, RefusedError } from '../../../../fakes/unwrap-answer.ts';
import { CountedPage } from '../../../../fakes/counted-page.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeRoom } from '../../../../fakes/fake-room.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';

/** Opens a page in a simulated room; `place` answers the question where to save. */
function open(options: ConstructorParameters<typeof FakeRoom>[1] = {}, place?: SaveRoom) {
  const clock = new FakeClock();
  const room = new FakeRoom(clock, options);
  const steps: RoomStep[] = [];
  const talk = { isActive: false };
  const lock = new DeviceLock();
  lock.setTalk(talk);
  let choosing: Promise<unknown> = Promise.resolve();
  const controller = new RoomController({
    devices: room.parts,
    roomPhrase: room.parts.roomPhrase,
    clock,
    lock,
    settings: { get: () => defaultSettings },
    post: (name, payload) => {
      if (name === 'roomStep') steps.push(payload as RoomStep);
    },
    chooseRoomPlace: async () => {
      await choosing;
      return place;
    },
  });
  const page = new OpenPage();
  const { testRoom, speakInRoom, keepRoom, forgetRoom } = controller.handlers;
  /** Advances time while the test is at one of these steps, for a minute at most. */
  const pass = async (until: (step: RoomStep['step'] | undefined) => boolean): Promise<void> => {
    for (let ms = 0; ms < 60_000; ms += 10) {
      await flushPromises();
      if (until(steps.at(-1)?.step)) return;
      room.passStep();
    }
  };
  return {
    room,
    steps,
    talk,
    lock,
    page,
    begin: (from: Page = page) => {
      const asked = unwrapAnswer(testRoom(undefined, from));
      // Handled here, because the test looks at it later.
      asked.catch(() => undefined);
      return asked;
    },
    to: (step: RoomStep['step']) => pass((now) => now === step),
    toEnd: async (asked: Promise<unknown>) => {
      let isOver = false;
      const over = () => void (isOver = true);
      asked.then(over, over);
      await pass(() => isOver);
    },
    speak: (from: Page = page) => speakInRoom(undefined, from),
    keep: (from: Page = page) => unwrapAnswer(keepRoom(undefined, from)),
    forget: (from: Page = page) => Promise.resolve(forgetRoom(undefined, from)),
    holdChoosing: (until: Promise<unknown>) => {
      choosing = until;
    },
  };
}

type Opened = ReturnType<typeof open>;

/** Runs a whole test up to the judgement. */
async function tried(opened: Opened) {
  const asked = opened.begin();
  await opened.to('ready');
  void opened.speak();
  opened.room.speaks = true;
  await opened.toEnd(asked);
  return asked;
}

const refusal = (code: 'testStopped' | 'ownSoundGone' | 'talkHasSound' | 'noMicrophone') =>
  new RefusedError(appError(code));

describe('the room test of a page', () => {
  it('records the quiet room, plays, waits for the user, plays again, and judges', async () => {
    const opened = open();
    const found = await tried(opened);
    if (typeof found === 'string') throw new Error(found);
    expect(opened.steps).toEqual([
      { step: 'quiet', ms: 2000 },
      { step: 'alone', ms: 4400 },
      { step: 'ready' },
      { step: 'over', ms: 4400 },
      { step: 'judging' },
    ]);
    expect(opened.room.played).toBe(2);
    expect(found.person?.attenuationDb).toBeLessThan(6);
    expect(found.echo?.delayMs).toBeCloseTo(60, -1);
    expect(opened.room.ended).toBeGreaterThanOrEqual(2);
    expect(opened.lock.isFree).toBe(true);
  });

  it('reports a silent microphone, and keeps nothing', async () => {
    const opened = open({ muted: true });
    expect(await tried(opened)).toBe('mute');
    await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it.each(['quiet', 'alone', 'ready', 'over', 'judging'] as const)(
    'can be stopped during step: %s',
    async (step) => {
      const opened = open();
      const asked = opened.begin();
      if (step === 'over' || step === 'judging') {
        await opened.to('ready');
        void opened.speak();
      }
      await opened.to(step);
      await opened.forget();
      await opened.toEnd(asked);
      await expect(asked).rejects.toEqual(refusal('testStopped'));
      expect(opened.lock.isFree).toBe(true);
      expect(opened.room.ended).toBeGreaterThanOrEqual(2);
      await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
    },
  );

  it('cannot run during a talk, which also ends a waiting test', async () => {
    const opened = open();
    const asked = opened.begin();
    await opened.to('ready');
    await opened.lock.preempt();
    await expect(asked).rejects.toEqual(refusal('testStopped'));
    opened.talk.isActive = true;
    await expect(opened.begin()).rejects.toEqual(refusal('talkHasSound'));
  });

  it('reports a missing microphone, even one lost while waiting for the user', async () => {
    const lost = appError('noMicrophone');
    await expect(open({ lost }).begin()).rejects.toEqual(refusal('noMicrophone'));
    const opened = open();
    const asked = opened.begin();
    await opened.to('ready');
    opened.room.lose(lost);
    await expect(asked).rejects.toEqual(refusal('noMicrophone'));
    expect(opened.lock.isFree).toBe(true);
  });

  it('ends with its page and discards the recordings', async () => {
    const opened = open();
    const asked = opened.begin();
    await opened.to('alone');
    opened.page.gone();
    await expect(asked).rejects.toEqual(refusal('testStopped'));
    expect(opened.lock.isFree).toBe(true);
    const later = open();
    await tried(later);
    later.page.gone();
    await expect(later.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it('belongs to the page that began it', async () => {
    const opened = open();
    const other = new OpenPage();
    const asked = opened.begin();
    await opened.to('ready');
    void opened.speak(other);
    await opened.forget(other);
    await flushPromises();
    expect(opened.steps.at(-1)?.step).toBe('ready');
    void opened.speak();
    await opened.toEnd(asked);
    await asked;
    await expect(opened.keep(other)).rejects.toEqual(refusal('ownSoundGone'));
  });

  it('a new page’s test ends the former page’s, and survives its end', async () => {
    const opened = open();
    const first = opened.begin();
    await opened.to('alone');
    const other = new OpenPage();
    const second = opened.begin(other);
    await expect(first).rejects.toEqual(refusal('testStopped'));
    await opened.to('ready');
    void opened.speak(other);
    await opened.to('over');
    expect(opened.steps.at(-1)?.step).toBe('over');
    expect(opened.lock.isFree).toBe(false);
    await opened.lock.preempt();
    await expect(second).rejects.toEqual(refusal('testStopped'));
  });

  it('listens for its page’s end only while there is something to discard', async () => {
    const opened = open();
    const page = new CountedPage();
    const asked = opened.begin(page);
    await opened.to('ready');
    await opened.forget(page);
    await opened.toEnd(asked);
    expect(page.waiting).toBe(0);
  });
});

describe('the recordings of a room test', () => {
  it('are saved where the user chooses, and then discarded', async () => {
    const kept: object[] = [];
    const opened = open({}, (room) => {
      kept.push(room);
      return Promise.resolve({ ok: true, value: { kind: 'folder', path: '/rooms' } });
    });
    await tried(opened);
    expect(await opened.keep()).toEqual({ kind: 'folder', path: '/rooms' });
    expect(kept).toHaveLength(1);
    await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it('stay when the user cancels or writing fails', async () => {
    const unplaced = open();
    await tried(unplaced);
    expect(await unplaced.keep()).toEqual({ kind: 'cancelled' });
    expect(await unplaced.keep()).toEqual({ kind: 'cancelled' });
    const error = appError('diskFull', { path: '/rooms' });
    const full = open({}, () => Promise.resolve({ ok: false, error }));
    await tried(full);
    for (const _time of [1, 2]) await expect(full.keep()).rejects.toEqual(new RefusedError(error));
  });

  it('are not written when discarded while the dialog is open', async () => {
    let written = 0;
    const opened = open({}, () => {
      written += 1;
      return Promise.resolve({ ok: true, value: { kind: 'folder', path: '/rooms' } });
    });
    await tried(opened);
    let choose: (value?: unknown) => void = () => undefined;
    opened.holdChoosing(
      new Promise((resolve) => {
        choose = resolve;
      }),
    );
    const asked = opened.keep();
    await opened.forget();
    choose();
    await expect(asked).rejects.toEqual(refusal('ownSoundGone'));
    expect(written).toBe(0);
  });
});
