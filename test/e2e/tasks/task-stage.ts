import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { join } from 'node:path';
import { overlaySelector } from '../../../renderer/keys/window-keys.ts';
import type { RequestInput, RequestName } from '../../../shared/ipc/contract.ts';
import { type PageSettingsPatch, defaultSettings } from '../../../shared/settings/settings.ts';
import type { XPanel } from '../desktop/x-panel.ts';
import {
  readChatFromCore,
  readSettingsFromCore,
  readTalkFromCore,
  talkPhase,
} from '../fixtures/pages/read-core.ts';
import { speakSentence } from '../fixtures/sound-card.ts';
import { harbourTalk, keptChat, settledSettings } from './seeds.ts';
import type { Task, TaskWindow, TaskWords } from './task.ts';

interface Options {
  readonly page: Page;
  readonly electron: ElectronApplication;
  readonly panel: XPanel;
  readonly words: TaskWords;
  readonly home: string;
  readonly theme: 'light' | 'dark';
}

const patient = { timeout: 30_000 };

/** Brings the window to a task's starting point after any previous task. */
export class TaskStage implements TaskWindow {
  readonly page: Page;
  readonly electron: ElectronApplication;
  readonly panel: XPanel;
  readonly words: TaskWords;
  readonly saved: string;
  readonly #theme: 'light' | 'dark';

  constructor({ page, electron, panel, words, home, theme }: Options) {
    this.page = page;
    this.electron = electron;
    this.panel = panel;
    this.words = words;
    this.saved = join(home, 'saved');
    this.#theme = theme;
  }

  readonly mini = async (): Promise<Page> => {
    const isMini = (page: Page): boolean => page.url().includes('window=mini');
    const mini =
      this.electron.windows().find(isMini) ??
      (await this.electron.waitForEvent('window', { predicate: isMini, ...patient }));
    await mini.getByRole('main').waitFor();
    return mini;
  };

  async begin({ begins, settings = {} }: Task): Promise<void> {
    const { replay } = this.words.page;
    await this.#reset(settings);
    switch (begins) {
      case 'idle':
        await this.#idle();
        return;
      case 'talk':
        await this.#talk('audio', settings);
        return;
      case 'heard':
        await this.#talk('audio', settings);
        await this.#heard();
        return;
      case 'seeing':
        await this.#talk('video', settings);
        return;
      case 'ended':
        await this.#end();
        return;
      case 'chat':
        await this.#chat();
        return;
      case 'replay':
        await this.#idle();
        await this.page.getByRole('button', { name: replay.examples.see }).click();
        await this.page.getByRole('menuitem', { name: replay.examples.voice.name }).click();
        await expect(this.page.getByRole('slider', { name: replay.timeline })).toBeVisible();
    }
  }

  async #reset(settings: PageSettingsPatch): Promise<void> {
    const { page, electron } = this;
    await page.mouse.up();
    await electron.evaluate(({ BrowserWindow }) => {
      for (const { webContents } of BrowserWindow.getAllWindows()) webContents.setZoomFactor(1);
    });
    await this.#ask('showMain', undefined);
    if (electron.windows().length > 1) await this.#ask('closeMini', undefined);
    await this.#closeLeftovers();
    await this.#ask('closeReplay', undefined);
    await this.#ask('setIncognito', { on: false });
    const { id, title } = harbourTalk;
    await this.#ask('renameHistory', { kind: 'talk', id, title });
    await this.#ask('pinHistory', { kind: 'talk', id, pinned: false });
    for (const { id, name } of (await readSettingsFromCore(page)).endpoints.list) {
      if (!seededServers.has(name)) await this.#ask('removeEndpoint', { id });
    }
    const { endpoints: _servers, ...groups } = defaultSettings;
    const { privacy, ...rest } = { ...groups, ...settledSettings, ...settings };
    await this.#ask('changeSettings', {
      ...rest,
      endpoints: settings.endpoints ?? { chosen: defaultSettings.endpoints.chosen },
      proxy: { way: settings.proxy?.way ?? defaultSettings.proxy.way },
      privacy: { ...defaultSettings.privacy, ...settledSettings.privacy, ...privacy },
      appearance: {
        ...defaultSettings.appearance,
        theme: this.#theme,
        language: this.words.language,
        ...settings.appearance,
      },
    });
    await page.keyboard.press('Control+1');
    await page.mouse.move(1, 1);
  }

  /** Closes overlays and everything that the last task opened. */
  async #closeLeftovers(): Promise<void> {
    const { page, words } = this;
    const { chat, shell, inspector } = words.page;
    for (let times = 0; times < 5; times += 1) {
      if ((await page.locator(overlaySelector).count()) === 0) break;
      await page.keyboard.press('Escape');
    }
    const leftOver = [
      page.getByRole('button', { name: inspector.close }),
      page.getByRole('button', { name: chat.clip.cancel }),
      page.locator('.undo-bar').getByRole('button', { name: shell.dismiss }),
      page.getByRole('list', { name: chat.composer.attached }).getByRole('button'),
      page.getByRole('button', { name: words.page.buttons.done, exact: true }),
      page.getByRole('button', { name: words.page.aroundTalk.idle.hideLevel }),
      page.getByRole('button', { name: words.page.shell.clearSearch }),
    ];
    for (const button of leftOver) if ((await button.count()) > 0) await button.first().click();
  }

  async #idle(): Promise<void> {
    const { page, words } = this;
    if ((await talkPhase(page)) !== 'idle' && (await talkPhase(page)) !== 'ended')
      await this.#end();
    const done = page.getByRole('button', { name: words.page.buttons.done, exact: true });
    const start = page.getByRole('button', { name: words.page.talk.start });
    await expect(done.or(start).first()).toBeVisible();
    if (await done.isVisible()) await done.click();
    await expect(start).toBeVisible();
  }

  /** Reuses a running talk if it fits. */
  async #talk(mode: 'audio' | 'video', settings: PageSettingsPatch): Promise<void> {
    const { page, words } = this;
    const { state, talk } = await readTalkFromCore(page);
    const fits = state.phase === 'live' && talk?.mode === mode && settings.privacy === undefined;
    const camera = page.getByRole('region', { name: words.page.talk.capture.name, exact: true });
    if (!fits || (mode === 'video' && !(await camera.isVisible()))) {
      await this.#idle();
      const { start, startSeeing } = words.page.talk;
      await page.getByRole('button', { name: mode === 'audio' ? start : startSeeing }).click();
      await expect.poll(() => talkPhase(page), patient).toBe('live');
      if (mode === 'video') await expect(camera.locator('video')).toBeVisible(patient);
    }
    await this.#ask('setMuted', { muted: false });
    await this.#ask('setPaused', { paused: false });
    const frozen = page.getByRole('button', { name: words.page.talk.capture.unfreeze });
    if (await frozen.isVisible()) await frozen.click();
    const { live: now, mirrored } = words.page.talk.capture;
    const live = page
      .getByRole('button', { name: now, exact: true })
      .or(page.getByRole('button', { name: mirrored, exact: true }));
    if (await live.isVisible()) await live.click();
    const typing = page.getByRole('button', { name: words.page.talk.typing.close });
    if (await typing.isVisible()) await typing.click();
  }

  async #heard(): Promise<void> {
    const { page } = this;
    if ((await readTalkFromCore(page)).floor === 'parley') return;
    const before = await page.locator('.caption').count();
    await speakSentence();
    await expect.poll(() => page.locator('.caption').count(), patient).toBeGreaterThan(before);
    await expect(page.locator('.caption-coming').first()).toBeVisible(patient);
  }

  async #end(): Promise<void> {
    const { page } = this;
    const phase = await talkPhase(page);
    if (phase === 'idle' || phase === 'ended') await this.#talk('audio', {});
    await this.#ask('endTalk', undefined);
    await expect.poll(() => talkPhase(page), patient).toBe('ended');
  }

  async #chat(): Promise<void> {
    const { page } = this;
    const { conversation: before, list } = await readChatFromCore(page);
    for (const { id, title } of list) {
      if (title === keptChat.title || id === before.id) await this.#ask('removeChat', { id });
    }
    await this.#ask('beginChat', undefined);
    const text = `Reply with exactly: ${keptChat.answer}`;
    await this.#ask('sendChat', { parts: [{ type: 'text', text }] });
    const answered = async () => (await readChatFromCore(page)).conversation.turns.at(-1);
    await expect.poll(answered, patient).toMatchObject({ state: { kind: 'done' } });
    const { id } = (await readChatFromCore(page)).conversation;
    await this.#ask('renameChat', { id, title: keptChat.title });
    await page.keyboard.press('Control+2');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(keptChat.title);
  }

  async #ask<Name extends RequestName>(name: Name, input: RequestInput<Name>): Promise<void> {
    const reply = await this.page.evaluate<{ readonly ok: boolean }>(
      `window.parley.request('${name}', ${JSON.stringify(input)})`,
    );
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply)}`);
  }
}

/** Names of servers that stay between tasks. */
const seededServers = new Set(settledSettings.endpoints?.list?.map(({ name }) => name));
