import type { FrameArea } from '../../../shared/vision/vision-options.ts';
import { expect, test } from '../fixtures/gallery-test.ts';

test('a part of the screen is chosen by keys or by pointer', async ({ page, show, asked }) => {
  await show('cursor-region');
  const picture = page.getByRole('group');
  const taken = async () => (await asked()).map(({ name, input }) => [name, input]);
  await expect(picture).toHaveAccessibleName('No part is chosen');

  await test.step('Enter takes nothing before a part is chosen', async () => {
    await page.keyboard.press('Enter');
    expect(await taken()).toEqual([]);
  });

  await test.step('arrows move a part, and Shift changes its size', async () => {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    await expect(picture).toHaveAccessibleName('Part: 27 % left, 25 % top, 50 % wide, 48 % high');
    await page.keyboard.press('Enter');
    const area = { left: 0.27, top: 0.25, width: 0.5, height: 0.48 };
    expect(await taken()).toEqual([['takeRegion', { area }]]);
  });

  await test.step('releasing the pointer takes the part, and a click takes nothing', async () => {
    const box = await picture.boundingBox();
    if (box === null) throw new Error('The picture is not drawn.');
    await page.mouse.click(box.x + 10, box.y + 10);
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.25, { steps: 3 });
    await page.mouse.up();
    const requests = await taken();
    expect(requests.map(([name]) => name)).toEqual(['takeRegion', 'takeRegion']);
    const area = areaOf(requests.at(-1)?.[1]);
    expect(area.left).toBeCloseTo(0.25, 2);
    expect(area.top).toBeCloseTo(0.25, 2);
    expect(area.width).toBeCloseTo(0.5, 2);
    expect(area.height).toBeCloseTo(0.25, 2);
  });

  await test.step('Escape cancels', async () => {
    await page.keyboard.press('Escape');
    expect((await taken()).at(-1)).toEqual(['cancelRegion', undefined]);
  });
});

function areaOf(input: unknown): FrameArea {
  return (input as { readonly area: FrameArea }).area;
}
