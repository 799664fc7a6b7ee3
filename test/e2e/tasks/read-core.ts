import type { Page } from '@playwright/test';
import type { RequestName, RequestValue } from '../../../shared/ipc/contract.ts';

/** Reads the core's state, which can differ from what the page shows. */
async function read<Name extends 'talk' | 'settings' | 'chat' | 'voices'>(
  page: Page,
  name: Name & RequestName,
): Promise<RequestValue<Name>> {
  const reply = await page.evaluate((name) => window.parley?.request(name, undefined), name);
  if (reply?.ok !== true) throw new Error(`The core does not answer “${name}”.`);
  return reply.value;
}

export const talkPhase = async (page: Page) => (await read(page, 'talk')).state.phase;
export const readControlsFromCore = async (page: Page) => (await read(page, 'talk')).controls;
export const readTalkFromCore = (page: Page) => read(page, 'talk');
export const readSettingsFromCore = async (page: Page) => (await read(page, 'settings')).settings;
export const readChatFromCore = (page: Page) => read(page, 'chat');
