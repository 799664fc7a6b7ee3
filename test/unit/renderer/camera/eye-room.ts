import { Eye } from '../../../../renderer/camera/eye.ts';
import { usualSeeing } from '../../../../shared/vision/seeing-settings.ts';
import type { SeeingDoor, SeeingSettings } from '../../../../shared/vision/seeing-settings.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeMedia } from '../../../fakes/fake-media.ts';

export const screen: SeeingSettings = {
  ...usualSeeing,
  source: { kind: 'screen', id: 'screen:0' },
};
export const front: SeeingSettings = {
  ...usualSeeing,
  source: { kind: 'camera', deviceId: 'front', label: 'Front camera' },
};

/** An eye with everything around it faked, and a core that may not answer. */
export function room() {
  const clock = new FakeClock();
  const media = new FakeMedia();
  const doors: string[] = [];
  const told: SeeingSettings[] = [];
  const offered: number[] = [];
  const wholes: boolean[] = [];
  const state = { hidden: false, reachable: true, picture: true, offering: Promise.resolve() };
  const eye = new Eye({
    media,
    now: clock.now,
    after: clock.after,
    hidden: () => state.hidden,
    createGrabber: () => ({
      grab: (whole) => {
        wholes.push(whole);
        return Promise.resolve(state.picture ? Uint8Array.of(1) : undefined);
      },
      close: () => undefined,
    }),
    allow: (door: SeeingDoor) => {
      doors.push(door.open);
      return Promise.resolve(state.reachable);
    },
    tellSettings: (settings) => {
      told.push(settings);
      return Promise.resolve(state.reachable);
    },
    offer: async () => {
      offered.push(clock.now());
      await state.offering;
    },
  });
  /** Lets time pass in small steps, with everything that waits in between. */
  const pass = async (milliseconds: number): Promise<void> => {
    for (let at = 0; at < milliseconds; at += 50) {
      clock.advance(50);
      await settle();
    }
  };
  return { clock, media, doors, told, offered, wholes, state, eye, pass };
}

export const settle = () => new Promise((resolve) => setImmediate(resolve));
