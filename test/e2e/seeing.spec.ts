import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { usualSeeing } from '../../shared/vision/seeing-settings.ts';
import type { SeeingSettings } from '../../shared/vision/seeing-settings.ts';
import type { FrameFacts } from '../../shared/vision/frame-facts.ts';
import { fakeCameraFlags } from './fixtures/fake-camera.ts';
import { expect, test } from './fixtures/host.ts';
import { putProbe } from './fixtures/put-probe.ts';

test.use({
  flags: async ({ host }, use) => {
    // The window asks Parley itself; Chromium would ask the person.
    const asks = host === 'browser' ? ['--use-fake-ui-for-media-stream'] : [];
    await use([...fakeCameraFlags(), ...asks]);
  },
});

interface Shown {
  readonly facts: FrameFacts;
  readonly jpeg: Buffer;
}

/** Opens the eye, or changes it, and waits for the next frame that the core shows. */
async function frameWith(page: Page, settings: SeeingSettings): Promise<Shown> {
  const shown = await page.evaluate(async (settings) => {
    const probe = window.eyeProbe;
    if (probe === undefined) throw new Error('There is no probe.');
    const { eye, shown } = probe;
    if (eye.view().state === 'off') await eye.open(settings);
    else await eye.change(settings);
    const before = shown.length;
    for (let tries = 0; tries < 400 && shown.length === before; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const newest = shown.at(-1);
    const view = eye.view();
    if (newest === undefined) throw new Error(`No frame came: ${JSON.stringify(view)}`);
    return { facts: newest.facts, jpeg: [...newest.jpeg], state: view.state };
  }, settings);
  expect(shown.state).toBe('open');
  return { facts: shown.facts, jpeg: Buffer.from(shown.jpeg) };
}

/** What stands on the left and on the right of a picture. */
async function sides(jpeg: Buffer): Promise<readonly string[]> {
  const { data } = await sharp(jpeg)
    .resize(8, 1, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [nameOf([...data.subarray(3, 6)]), nameOf([...data.subarray(18, 21)])];
}

function nameOf([red = 0, green = 0, blue = 0]: readonly number[]): string {
  if (red > 180 && green < 80 && blue < 80) return 'red';
  if (blue > 180 && green < 80 && red < 80) return 'blue';
  return `${red} ${green} ${blue}`;
}

// One start for a camera from its first frame to its end, as a person would have it.
test('frames of the camera come to the core, whole and in part, until it is closed', async ({
  page,
}) => {
  await putProbe(page);
  await test.step('what is no picture is refused in a sentence', () => refusesOther(page));
  const frame = await frameWith(page, usualSeeing);
  await test.step('its very bytes come back', async () => {
    const { facts, jpeg } = frame;
    expect(facts).toMatchObject({ width: 517, height: 387, slices: 1, tokens: 64 });
    expect(jpeg.length).toBe(facts.bytes);
    const found = await sharp(jpeg).metadata();
    expect([found.format, found.width, found.height]).toEqual(['jpeg', 517, 387]);
    expect(await sides(jpeg)).toEqual(['red', 'blue']);
  });
  await test.step('a part of it is all that goes, with more detail', async () => {
    const right = { left: 0.5, top: 0, width: 0.5, height: 1 };
    const { facts, jpeg } = await frameWith(page, { ...usualSeeing, slices: 4, crop: right });
    expect([facts.width, facts.height]).toEqual([320, 480]);
    expect(await sides(jpeg)).toEqual(['blue', 'blue']);
  });
  await test.step('after it is closed no frame is taken, whoever sends it', async () => {
    const after = await page.evaluate(
      async (bytes) => {
        const probe = window.eyeProbe;
        await probe?.eye.close();
        const reply = await probe?.bridge.request('seeFrame', { jpeg: new Uint8Array(bytes) });
        return { reply, state: probe?.eye.view().state };
      },
      [...frame.jpeg],
    );
    expect(after).toEqual({ reply: { ok: true, value: { fate: 'closed' } }, state: 'off' });
  });
});

test('no picture is taken before there is one', async ({ page }) => {
  await putProbe(page);
  const [early, late] = await page.evaluate(async (settings) => {
    const probe = window.eyeProbe;
    if (probe === undefined) throw new Error('There is no probe.');
    await probe.eye.open(settings);
    // How large it will be is known sooner; on a busy machine for long.
    const known = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'readyState') ?? {};
    const { HAVE_METADATA } = HTMLMediaElement;
    Object.defineProperty(HTMLMediaElement.prototype, 'readyState', {
      ...known,
      get: () => HAVE_METADATA,
    });
    let taken = 0;
    const taking = probe.grab(1).then((count) => (taken = count));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const early = taken;
    Object.defineProperty(HTMLMediaElement.prototype, 'readyState', known);
    return [early, await taking];
  }, usualSeeing);
  expect({ early, late }).toEqual({ early: 0, late: 1 });
});

async function refusesOther(page: Page): Promise<void> {
  const replies = await page.evaluate(async () => {
    const bridge = window.eyeProbe?.bridge;
    await bridge?.request('allowSeeing', { open: 'camera' });
    return [
      await bridge?.request('seeFrame', { jpeg: new Uint8Array(100) }),
      await bridge?.request('seeFrame', { jpeg: 'text' as unknown as Uint8Array }),
    ];
  });
  expect(replies[0]).toEqual({
    ok: true,
    value: { fate: 'refused', problem: 'This frame is not a JPEG.' },
  });
  expect(replies[1]).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
}
