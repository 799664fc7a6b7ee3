import { expect, it } from 'vitest';
import { RegionPicker } from '../../../../electron/cursor/region-picker.ts';
import { failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import type { FramePlan, Frames } from '../../../../shared/ports/pictures.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

const area = { left: 0.5, top: 0.25, width: 0.1, height: 0.5 };
const screen = Uint8Array.of(1, 2, 3);

function openPicker(taken: Outcome<Uint8Array> = { ok: true, value: screen }) {
  const windows: string[] = [];
  const plans: FramePlan[] = [];
  let closed: () => void = () => undefined;
  const frames: Frames = {
    prepare: (_file, plan) => {
      const planned = plan({ width: 2000, height: 1000 });
      plans.push(planned);
      const { width, height } = planned;
      const jpeg = Uint8Array.of(4);
      return Promise.resolve({ ok: true, value: { width, height, jpeg, signature: jpeg } });
    },
  };
  const picker = new RegionPicker({
    window: {
      open: (gone) => {
        windows.push('opened');
        closed = gone;
      },
      show: () => void windows.push('shown'),
      close: () => {
        windows.push('closed');
        closed();
      },
    },
    captureScreen: () => Promise.resolve(taken),
    frames,
  });
  return { picker, windows, plans, closeWindow: () => closed() };
}

it('the user chooses a part on a picture of the screen, which is cut out', async () => {
  const { picker, windows, plans } = openPicker();
  const picked = picker.pick();
  expect(windows).toEqual(['opened']);
  expect(await picker.screen()).toEqual({ ok: true, value: screen });
  picker.show();
  picker.take(area);
  expect(await picked).toEqual({ ok: true, value: Uint8Array.of(4) });
  expect(windows).toEqual(['opened', 'shown', 'closed']);
  const crop = { left: 1000, top: 250, width: 200, height: 500 };
  expect(plans).toEqual([{ crop, width: 200, height: 500 }]);
});

it('a part that reaches beyond the screen is cut at its edge', async () => {
  const { picker, plans } = openPicker();
  const picked = picker.pick();
  picker.take({ left: 0.9, top: -1, width: 4, height: 1.5 });
  await picked;
  expect(plans[0]?.crop).toEqual({ left: 1800, top: 0, width: 200, height: 500 });
});

it('cancelling, a closed window and a newer pick end a pick without a picture', async () => {
  const { picker, windows, closeWindow } = openPicker();
  const nothing = { ok: true, value: undefined };
  const first = picker.pick();
  picker.cancel();
  expect(await first).toEqual(nothing);
  const second = picker.pick();
  closeWindow();
  expect(await second).toEqual(nothing);
  const third = picker.pick();
  const fourth = picker.pick();
  expect(await third).toEqual(nothing);
  picker.take(area);
  expect(await fourth).toEqual({ ok: true, value: Uint8Array.of(4) });
  expect(windows.filter((event) => event === 'closed')).toHaveLength(4);
  expect(await picker.screen()).toEqual(failure('cursorRegionGone'));
});

it('a screen that cannot be captured closes the window with the reason', async () => {
  const { picker, windows } = openPicker(failure('screenForbidden'));
  const picked = picker.pick();
  await flushPromises();
  expect(await picked).toEqual(failure('screenForbidden'));
  expect(windows).toEqual(['opened', 'closed']);
});
