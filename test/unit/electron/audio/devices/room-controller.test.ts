import { describe, expect, it } from 'vitest';
import { DeviceLock } from '../../../../../electron/audio/devices/device-lease.ts';
import {
  RoomController,
  type RoomPlace,
} from '../../../../../electron/audio/devices/room-controller.ts';
import type { RoomStep } from '../../../../../shared/audio/room-judgement.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage, type Page } from '../../../../../shared/ipc/page.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { unwrapAnswer, RefusedError } from '../../../../fakes/unwrap-answer.ts';
import { CountedPage } from '../../../../fakes/counted-page.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeRoom } from '../../../../fakes/fake-room.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';

/** A page in a room; `place` is what it answers to the question where. */
function open(options: ConstructorParameters<typeof FakeRoom>[1] = {}, place?: RoomPlace) {
  const clock = new FakeClock();
  const room = new FakeRoom(clock, options);
  const steps: RoomStep[] = [];
  const talk = { active: false };
  const lock = new DeviceLock();
  lock.yieldTo(talk);
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
  /** Lets time pass as long as the test is at one of these steps, for a minute at most. */
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
      // Whoever looks at it later still sees that it was refused.
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

/** From the beginning to the judgement. */
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

describe('a room that is tried in a page', () => {
  it('is quiet, plays, waits for the person, plays again, and is judged', async () => {
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
    expect(found.person?.lostDb).toBeLessThan(6);
    expect(found.echo?.lateMs).toBeCloseTo(60, -1);
    expect(opened.room.ended).toBeGreaterThanOrEqual(2);
    expect(opened.lock.free).toBe(true);
  });

  it('says that the microphone gives silence, and has nothing to keep then', async () => {
    const opened = open({ muted: true });
    expect(await tried(opened)).toBe('mute');
    await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it.each(['quiet', 'alone', 'ready', 'over', 'judging'] as const)(
    'is stopped while it is at: %s',
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
      expect(opened.lock.free).toBe(true);
      expect(opened.room.ended).toBeGreaterThanOrEqual(2);
      await expect(opened.keep()).rejects.toEqual(refusal('ownSoundGone'));
    },
  );

  it('is ended by a talk, also while it waits for the person, and does not begin in one', async () => {
    const opened = open();
    const asked = opened.begin();
    await opened.to('ready');
    await opened.lock.preempt();
    await expect(asked).rejects.toEqual(refusal('testStopped'));
    opened.talk.active = true;
    await expect(opened.begin()).rejects.toEqual(refusal('talkHasSound'));
  });

  it('says why there is no microphone, and that one has gone while the person was waited for', async () => {
    const lost = appError('noMicrophone');
    await expect(open({ lost }).begin()).rejects.toEqual(refusal('noMicrophone'));
    const opened = open();
    const asked = opened.begin();
    await opened.to('ready');
    opened.room.lose(lost);
    await expect(asked).rejects.toEqual(refusal('noMicrophone'));
    expect(opened.lock.free).toBe(true);
  });

  it('ends with its page, and what was recorded goes with it', async () => {
    const opened = open();
    const asked = opened.begin();
    await opened.to('alone');
    opened.page.gone();
    await expect(asked).rejects.toEqual(refusal('testStopped'));
    expect(opened.lock.free).toBe(true);
    const later = open();
    await tried(later);
    later.page.gone();
    await expect(later.keep()).rejects.toEqual(refusal('ownSoundGone'));
  });

  it('is the page’s that began it: no other one goes on with it, stops it, or keeps it', async () => {
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

  it('a page that begins one ends that of another page, and is not ended by it', async () => {
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
    expect(opened.lock.free).toBe(false);
    await opened.lock.preempt();
    await expect(second).rejects.toEqual(refusal('testStopped'));
  });

  it('waits for the end of its page only as long as there is something to forget', async () => {
    const opened = open();
    const page = new CountedPage();
    const asked = opened.begin(page);
    await opened.to('ready');
    await opened.forget(page);
    await opened.toEnd(asked);
    expect(page.waiting).toBe(0);
  });
});

describe('what was recorded in a room', () => {
  it('is kept where the person says, and forgotten then', async () => {
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

  it('stays where they thought better of it, or it could not be written', async () => {
    const unplaced = open();
    await tried(unplaced);
    expect(await unplaced.keep()).toEqual({ kind: 'unplaced' });
    expect(await unplaced.keep()).toEqual({ kind: 'unplaced' });
    const error = appError('diskFull', { path: '/rooms' });
    const full = open({}, () => Promise.resolve({ ok: false, error }));
    await tried(full);
    for (const _time of [1, 2]) await expect(full.keep()).rejects.toEqual(new RefusedError(error));
  });

  it('is not written where it is thrown away while the dialog stands there', async () => {
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
