import type { ElectronApplication, TestInfo } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '../../../shared/errors/app-error.ts';
import { languageIds } from '../../../shared/i18n/languages.ts';
import { expect, test } from '../desktop/desktop-test.ts';
import { findMissingPanelTool, XPanel } from '../desktop/x-panel.ts';
import { fakeCameraFlags } from '../fixtures/fake-camera.ts';
import { skipWithoutSoundCard } from '../fixtures/sound-card.ts';
import { performTask } from './perform-action.ts';
import { aroundTasks } from './rows/around.ts';
import { chatTasks } from './rows/chat.ts';
import { deviceTasks } from './rows/devices.ts';
import { historyTasks } from './rows/history.ts';
import { lookTasks } from './rows/looks.ts';
import { serverTasks } from './rows/servers.ts';
import { talkingTasks } from './rows/talking.ts';
import { visionTasks } from './rows/vision.ts';
import { putSeeds, settledSettings } from './seeds.ts';
import { TaskStage } from './task-stage.ts';
import { loadTaskWords, type StartingPoint, type Task, type TaskWords } from './task.ts';

const allTasks = (words: TaskWords): readonly Task[] => [
  ...lookTasks(words),
  ...deviceTasks(words),
  ...serverTasks(words),
  ...historyTasks(words),
  ...aroundTasks(words),
  ...chatTasks(words),
  ...talkingTasks(words),
  ...visionTasks(words),
];

/** A folder for pictures of each task's end, for people to look at. */
const pictures = process.env['PARLEY_TASK_PICTURES'];
const theme = process.env['PARLEY_TASK_THEME'] === 'dark' ? 'dark' : 'light';
const language =
  languageIds.find((id) => id === process.env['PARLEY_TASK_LANGUAGE']) ?? languageIds[0] ?? 'en';
const width = Number(process.env['PARLEY_TASK_WIDTH'] ?? 900);
const height = width > 1000 ? 900 : 720;
const only = new RegExp(process.env['PARLEY_TASK_ONLY'] ?? '');

/** The tasks of a group share one start of Electron, which takes as long as three tasks. */
const groups: Readonly<Record<string, readonly StartingPoint[]>> = {
  'before a talk': ['idle', 'replay'],
  'in writing': ['chat'],
  'in and after a talk': ['talk', 'heard', 'ended'],
  'with pictures': ['seeing'],
};

test('there are at least sixty tasks, each with at most three actions', async () => {
  for (const id of languageIds) {
    const tasks = allTasks(await loadTaskWords(id));
    expect(tasks.length).toBeGreaterThanOrEqual(60);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
    const long = tasks.filter(({ actions }) => actions.length > 3 || actions.length === 0);
    expect(long.map(({ id }) => id)).toEqual([]);
    const begun = new Set(Object.values(groups).flat());
    expect(tasks.filter(({ begins }) => !begun.has(begins))).toEqual([]);
  }
});

for (const [name, begins] of Object.entries(groups)) {
  test(`a user completes every task in at most three actions: ${name}`, async ({
    desktop,
  }, info) => {
    skipWithoutSoundCard();
    const missing = findMissingPanelTool('tint2');
    test.skip(missing !== undefined, `${missing} is not installed`);
    test.setTimeout(600_000);
    const { start, lifetime, home } = desktop;
    const words = await loadTaskWords(language);
    await putSeeds(home);
    const panel = new XPanel('tint2', home, lifetime);
    await panel.start();
    const { page, electron } = await start({
      settings: settledSettings,
      flags: fakeCameraFlags(),
    });
    await electron.evaluate(
      ({ BrowserWindow }, [width, height]) => {
        BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
      },
      [width, height] as const,
    );
    await replaceSaveDialog(electron, join(home, 'saved'));
    await watchTray(electron);
    const stage = new TaskStage({ page, electron, panel, words, home, theme });
    const failed: string[] = [];
    const tasks = allTasks(words).filter(
      (task) => begins.includes(task.begins) && only.test(task.id),
    );
    for (const task of tasks) {
      const problem = await doTask(task, stage);
      if (problem !== undefined) failed.push(`${task.id}: ${problem}`);
      await takePicture(task, stage, problem !== undefined, info);
    }
    expect(failed).toEqual([]);
  });
}

async function doTask(task: Task, stage: TaskStage): Promise<string | undefined> {
  try {
    await stage.begin(task);
    await performTask(task, stage);
    await task.verify(stage);
    return undefined;
  } catch (error) {
    return describeError(error).split('\n').slice(0, 6).join(' ');
  }
}

async function takePicture(
  { id }: Task,
  { page, electron }: TaskStage,
  failed: boolean,
  info: TestInfo,
): Promise<void> {
  if (pictures === undefined && !failed) return;
  const folder = pictures ?? info.outputDir;
  await mkdir(folder, { recursive: true });
  for (const window of electron.windows()) {
    const suffix = window === page ? '' : '.mini';
    const path = join(folder, `${id}${suffix}${failed ? '.failed' : ''}.png`);
    await window.screenshot({ path, timeout: 5000 }).catch(() => undefined);
  }
}

/** Replaces the system's save dialog with one that confirms at once. */
async function replaceSaveDialog(electron: ElectronApplication, folder: string): Promise<void> {
  await electron.evaluate(({ dialog }, folder) => {
    dialog.showSaveDialog = (...args: unknown[]) => {
      const { defaultPath = 'file' } = args.at(-1) as { defaultPath?: string };
      const filePath = `${folder}-${defaultPath.split('/').at(-1)}`;
      return Promise.resolve({ canceled: false, filePath });
    };
  }, folder);
}

/** Captures the tray's menu, which the tests operate with keys. */
async function watchTray(electron: ElectronApplication): Promise<void> {
  await electron.evaluate(({ Menu }) => {
    const build = Menu.buildFromTemplate.bind(Menu);
    Menu.buildFromTemplate = (template) => {
      const menu = build(template);
      // Skips the window's menu.
      if (menu.items.some(({ id }) => id === 'showMini')) Reflect.set(globalThis, 'seenTray', menu);
      return menu;
    };
  });
}
