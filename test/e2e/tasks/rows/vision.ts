import { expect } from '@playwright/test';
import { readSettingsFromCore, readTalkFromCore } from '../../fixtures/pages/read-core.ts';
import { type Action, click, target, type Task, type TaskWindow, type TaskWords } from '../task.ts';

export function visionTasks(words: TaskWords): readonly Task[] {
  const { talk } = words.page;
  const { capture } = talk;
  const shows = async ({ page }: TaskWindow, name: string): Promise<void> => {
    const liveVideo = { state: { phase: 'live' }, talk: { mode: 'video' } };
    await expect.poll(() => readTalkFromCore(page), { timeout: 30_000 }).toMatchObject(liveVideo);
    await expect(page.getByRole('region', { name }).locator('video')).toBeVisible();
  };
  const first = (name: string): Action =>
    click('button', undefined, {
      within: { role: 'listitem', nth: 0, within: target('dialog', name) },
    });
  const tile = { within: target('region', capture.name) };
  return [
    {
      id: 'see-start-camera',
      wish: 'I want to show it something.',
      begins: 'idle',
      actions: [click('button', talk.startSeeing)],
      verify: (window) => shows(window, capture.name),
    },
    {
      id: 'see-start-screen',
      wish: 'It should look at my screen.',
      begins: 'idle',
      actions: [click('button', talk.startSharing), first(capture.pick.screen)],
      verify: (window) => shows(window, capture.shared),
    },
    {
      id: 'see-from-voice',
      wish: 'We are talking, and now I would like to show it something.',
      begins: 'talk',
      actions: [click('button', talk.camera), click('button', talk.startSeeing)],
      verify: (window) => shows(window, capture.name),
    },
    {
      id: 'see-camera-off',
      wish: 'Camera off, please.',
      begins: 'seeing',
      actions: [click('button', talk.camera)],
      verify: ({ page }) =>
        expect(page.getByRole('region', { name: capture.name, exact: true })).toHaveCount(0),
    },
    {
      id: 'see-freeze',
      wish: 'Keep looking at this, I have to move.',
      begins: 'seeing',
      actions: [click('button', capture.freeze, tile)],
      verify: ({ page }) => expect(page.getByText(capture.frozen)).toBeVisible(),
    },
    {
      id: 'see-what-it-saw',
      wish: 'What does it really see of me?',
      begins: 'seeing',
      actions: [click('button', capture.seen, tile)],
      verify: ({ page }) =>
        expect(page.getByRole('region', { name: capture.name }).locator('img')).toBeVisible(),
    },
    {
      id: 'see-screen-instead',
      wish: 'Not me, my screen.',
      begins: 'seeing',
      actions: [click('button', talk.share), first(capture.pick.screen)],
      verify: (window) => shows(window, capture.shared),
    },
    {
      id: 'see-window-instead',
      wish: 'Only this one window.',
      begins: 'seeing',
      actions: [
        click('button', capture.source, tile),
        click('menuitemradio', capture.sources.window),
        first(capture.pick.window),
      ],
      verify: (window) => shows(window, capture.shared),
    },
    {
      id: 'see-part',
      wish: 'Only the middle of the picture.',
      begins: 'seeing',
      actions: [click('button', capture.choosePart, tile), click('button', capture.showPart)],
      verify: ({ page }) => expect(page.locator('.capture-part')).toBeVisible(),
    },
    {
      id: 'see-mirror',
      wish: 'The preview is the wrong way round.',
      begins: 'seeing',
      actions: [click('button', capture.options, tile), click('switch', capture.mirror)],
      verify: ({ page }) =>
        expect.poll(() => readSettingsFromCore(page)).toMatchObject({ vision: { mirror: false } }),
    },
    {
      id: 'see-sharper',
      wish: 'It cannot read the small print.',
      begins: 'seeing',
      actions: [
        click('button', capture.options, tile),
        click('slider', words.page.settings.rows.vision.slices.name),
      ],
      verify: ({ page }) =>
        expect
          .poll(async () => (await readSettingsFromCore(page))?.vision.slices)
          .toBeGreaterThan(1),
    },
    {
      id: 'see-less-often',
      wish: 'A picture now and then is enough.',
      begins: 'seeing',
      actions: [
        click('button', capture.options, tile),
        click('radio', words.page.settings.voices.seconds.replace('{{seconds}}', '10')),
      ],
      verify: ({ page }) =>
        expect.poll(async () => (await readSettingsFromCore(page))?.vision.rate).toBeCloseTo(0.1),
    },
  ];
}
