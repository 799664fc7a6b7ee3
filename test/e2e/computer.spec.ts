import type { Page } from '@playwright/test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runTool } from '../contract/sound/run-tool.ts';
import { UpdateServer } from '../contract/update-server.ts';
import { fillModelFolder, installStandIn, writeCatalogue } from '../llama-omni/stand-in-process.ts';
import { modelFileNames } from '../llama-omni/stand-in-log.ts';
import { expect, test } from './fixtures/host-test.ts';
import { field, openChat } from './fixtures/pages/chat-page.ts';
import { waitUntilLive } from './fixtures/pages/talk-page.ts';
import { skipWithoutSoundCard, speakSentence } from './fixtures/sound-card.ts';

test.use({ stored: 'nothing' });

const mirror = new UpdateServer();
let folder = '';
let path = '';

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-computer-'));
  await installStandIn(join(folder, 'bin'), { loadMs: 1500 });
  fillModelFolder(join(folder, 'model'));
  await mirror.open();
  for (const name of modelFileNames)
    mirror.files.set(name, readFileSync(join(folder, 'model', name)));
  writeCatalogue(join(folder, 'catalogue.json'), join(folder, 'model'), mirror.url.href);
  path = process.env['PATH'] ?? '';
  process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${path}`;
  process.env['PARLEY_MODEL_CATALOGUE'] = join(folder, 'catalogue.json');
});

test.afterAll(async () => {
  process.env['PATH'] = path;
  delete process.env['PARLEY_MODEL_CATALOGUE'];
  await mirror.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the model is downloaded, talks on this computer, and leaves no process, sound or file', async ({
  page,
  running,
}) => {
  skipWithoutSoundCard();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('radio', { name: 'On this computer' }).check();
  const found = (place: string) =>
    page.getByText(`Found at ${join(folder, place, 'llama-omni-server')}`);
  await expect(found('bin')).toBeVisible();
  if (running.electron !== undefined) {
    mkdirSync(join(folder, 'other'));
    const other = join(folder, 'other', 'llama-omni-server');
    symlinkSync(join(folder, 'bin', 'llama-omni-server'), other);
    await running.electron.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, other);
    await page.getByRole('button', { name: 'Choose program…' }).click();
    await expect(found('other')).toBeVisible();
    await page.getByRole('button', { name: 'Find it automatically' }).click();
    await expect(found('bin')).toBeVisible();
  }
  await downloadAndTalk(page);
  await speakSentence();
  await expect(page.getByText(/I can hear you/u).first()).toBeVisible();
  await chatWhileTalking(page);
  const [child, ...others] = modelProcesses();
  expect(others).toEqual([]);
  const temporary = temporaryFolder(child);
  expect(existsSync(temporary)).toBe(true);
  expect(await soundStreams()).not.toBe('');
  await running.close();
  await expect.poll(modelProcesses).toEqual([]);
  await expect.poll(() => existsSync(temporary)).toBe(false);
  await expect.poll(soundStreams).toBe('');
});

async function downloadAndTalk(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(page.getByText(/^Ready\. /u)).toBeVisible();
  await page.getByRole('button', { name: 'Start talking' }).click();
  await expect(page.getByText(/Loading the model/u).first()).toBeVisible();
  await waitUntilLive(page);
}

/** A chat waits for the end of the talk, and the next talk for the chat's session. */
async function chatWhileTalking(page: Page): Promise<void> {
  const places = page.getByRole('navigation');
  await openChat(page);
  await field(page).fill('Hello');
  await page.keyboard.press('Enter');
  const answer = page.getByRole('article', { name: 'Parley answered' });
  await expect(answer).toContainText('Not while you talk. Parley answers when the talk ends.');
  await places.getByRole('button', { name: 'Talk', exact: true }).click();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await openChat(page);
  await expect(answer).toHaveAttribute('aria-busy', 'false');
  await expect(answer.locator('.answer-state')).toHaveCount(0);
  await places.getByRole('button', { name: 'Talk', exact: true }).click();
  await page.getByRole('button', { name: 'Continue this talk' }).click();
  await waitUntilLive(page);
}

/** Programs that play or listen on the sound card of the test. */
async function soundStreams(): Promise<string> {
  const kinds = ['sink-inputs', 'source-outputs'];
  const lists = kinds.map((kind) => runTool('pactl', ['list', 'short', kind]));
  const outputs = await Promise.all(lists);
  for (const { code } of outputs) expect(code).toBe(0);
  const lines = outputs.flatMap(({ output }) => output.split('\n'));
  return lines.filter((line) => line.includes('protocol-native.c')).join('\n');
}

function temporaryFolder(pid = ''): string {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const prefix = 'TMPDIR=';
  const variable = variables.find((each) => each.startsWith(prefix));
  return variable?.slice(prefix.length) ?? '';
}

/** The stand-ins that run from this test's folder. */
function modelProcesses(): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    const commandLine = `/proc/${pid}/cmdline`;
    if (!/^\d+$/u.test(pid) || !existsSync(commandLine)) return false;
    try {
      const [program = '', script = ''] = readFileSync(commandLine, 'utf8').split('\0');
      return program.includes('node') && script.startsWith(join(folder, 'bin'));
    } catch {
      // The process has ended meanwhile.
      return false;
    }
  });
}
