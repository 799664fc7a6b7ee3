import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { FrameInfo } from '../../../shared/vision/vision-frame.ts';
import { defaultVisionOptions, type VisionOptions } from '../../../shared/vision/vision-options.ts';
import { injectCaptureProbe } from '../fixtures/build-like-product.ts';
import { withFakeCamera } from '../fixtures/fake-camera.ts';
import { expect, test } from '../fixtures/host-test.ts';

test.use({
  flags: withFakeCamera(),
});

interface ShownFrame {
  readonly facts: FrameInfo;
  readonly jpeg: Buffer;
}

/** Opens or changes the capture, and waits until the model gets a frame of this width. */
async function frameWith(page: Page, settings: VisionOptions, width: number): Promise<ShownFrame> {
  const request = { settings, width };
  const shown = await page.evaluate(async ({ settings, width }) => {
    const probe = window.captureProbe;
    if (probe === undefined) throw new Error('The probe has not been injected.');
    const { capture, shown } = probe;
    if (capture.view().state === 'off') await capture.open(settings);
    else await capture.change(settings);
    const newest = () => shown.findLast(({ facts }) => facts.width === width);
    for (let tries = 0; tries < 400 && newest() === undefined; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const found = newest();
    const view = capture.view();
    if (found === undefined) throw new Error(`No frame came: ${JSON.stringify(view)}`);
    return { facts: found.facts, jpeg: [...found.jpeg], state: view.state };
  }, request);
  expect(shown.state).toBe('open');
  return { facts: shown.facts, jpeg: Buffer.from(shown.jpeg) };
}

/** The colours of the left and right half of a picture. */
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

// One camera session from its first frame to its end.
test('camera frames reach the core, whole and cropped, until the camera is closed', async ({
  page,
}) => {
  await injectCaptureProbe(page);
  await page.evaluate(() => window.captureProbe?.startTalk());
  await test.step('other data is refused', () => refusesOther(page));
  const frame = await frameWith(page, defaultVisionOptions, 517);
  await test.step('the sent bytes come back', async () => {
    const { facts, jpeg } = frame;
    expect(facts).toMatchObject({ width: 517, height: 387, slices: 1, tokens: 64 });
    expect(jpeg.length).toBe(facts.bytes);
    const found = await sharp(jpeg).metadata();
    expect([found.format, found.width, found.height]).toEqual(['jpeg', 517, 387]);
    expect(await sides(jpeg)).toEqual(['red', 'blue']);
    expect([found.icc, found.exif, found.comments]).toEqual([undefined, undefined, undefined]);
  });
  await test.step('a crop sends only that part, with more detail', async () => {
    const right = { left: 0.5, top: 0, width: 0.5, height: 1 };
    const { facts, jpeg } = await frameWith(
      page,
      { ...defaultVisionOptions, slices: 4, crop: right },
      320,
    );
    expect([facts.width, facts.height]).toEqual([320, 480]);
    expect(await sides(jpeg)).toEqual(['blue', 'blue']);
  });
  await test.step('a frame that arrives after closing is not accepted', async () => {
    const after = await page.evaluate(
      async (bytes) => {
        const probe = window.captureProbe;
        await probe?.capture.close();
        const reply = await probe?.bridge.request('pushFrame', { jpeg: new Uint8Array(bytes) });
        return { reply, state: probe?.capture.view().state };
      },
      [...frame.jpeg],
    );
    expect(after).toEqual({ reply: { ok: true, value: { outcome: 'notWanted' } }, state: 'off' });
  });
});

test('shrinking fine stripes gives an even grey without moiré', async ({ page }) => {
  await injectCaptureProbe(page);
  for (const [from, to] of [
    [720, 336],
    [1080, 336],
  ] as const) {
    const spread = await page.evaluate(
      ([from, to]) => window.captureProbe?.shrinkStripes(from, to),
      [from, to] as const,
    );
    test.info().annotations.push({ type: 'measured', description: `${from} to ${to}: ${spread}` });
    expect.soft(spread, `${from} to ${to}`).toBeLessThan(20);
  }
});

test('no frame is grabbed before the video has data', async ({ page }) => {
  await injectCaptureProbe(page);
  const [early, late] = await page.evaluate(async (settings) => {
    const probe = window.captureProbe;
    if (probe === undefined) throw new Error('The probe has not been injected.');
    await probe.capture.open(settings);
    // The size is known before the first picture, on a busy machine long before.
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
  }, defaultVisionOptions);
  expect({ early, late }).toEqual({ early: 0, late: 1 });
});

async function refusesOther(page: Page): Promise<void> {
  const replies = await page.evaluate(async () => {
    const bridge = window.captureProbe?.bridge;
    await bridge?.request('setCapturePermission', { open: 'camera' });
    return [
      await bridge?.request('pushFrame', { jpeg: new Uint8Array(100) }),
      await bridge?.request('pushFrame', { jpeg: 'text' as unknown as Uint8Array }),
    ];
  });
  expect(replies[0]).toEqual({
    ok: true,
    value: { outcome: 'refused' },
  });
  expect(replies[1]).toMatchObject({ ok: false, error: { code: 'notUnderstood' } });
}
