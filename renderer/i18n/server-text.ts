import type { TFunction } from 'i18next';
import {
  type ChatPlace,
  type LocalModelState,
  maxVoiceStepMs,
  type ModelPace,
  type ModelServerState,
} from '../../shared/model/local-model.ts';
import {
  computerProfile,
  embeddedId,
  embeddedProfile,
} from '../../shared/settings/endpoint-profile.ts';
import { errorText } from './error-text.ts';
import { joinSentences } from './join-sentences.ts';

/** The name of a server; built-in ones have translated names. */
export function serverName(t: TFunction, name: string): string {
  if (name === computerProfile.name) return t('model.name');
  return name === embeddedProfile.name ? t('settings.servers.demonstration') : name;
}

/** Names of the embedded server on tapes, by host and version. */
const demonstrationServers: ReadonlySet<string> = new Set([
  embeddedId,
  embeddedProfile.name,
  'parley:demonstration',
]);

export const isDemonstrationServer = (server: string): boolean => demonstrationServers.has(server);

/** The address of a tape's server, because tapes do not store names. */
export function tapeServerName(t: TFunction, server: string): string {
  return isDemonstrationServer(server) ? t('settings.servers.demonstration') : server;
}

/** Says that the model loads, and for how long. */
export function modelLoadingText(
  t: TFunction,
  { secondsLeft, switchesTo }: Extract<ModelServerState, { kind: 'loading' }>,
): string {
  const seconds = secondsLeft === undefined ? undefined : Math.ceil(secondsLeft);
  if (switchesTo === undefined)
    return seconds === undefined ? t('model.loading') : t('model.loadingLeft', { seconds });
  return seconds === undefined
    ? t(`model.switching.${switchesTo}`)
    : t(`model.switchingLeft.${switchesTo}`, { seconds });
}

/** The measured pace, its verdict and the limit for talks. */
export function modelPaceText(t: TFunction, { medianMs, p90Ms, verdict }: ModelPace): string {
  const facts = { median: medianMs, p90: p90Ms, limit: maxVoiceStepMs };
  return joinSentences(t, t('model.steps.stats', facts), t(`model.paces.${verdict}`));
}

/** Says what a talk or a chat with the model on this computer waits for; undefined if it does not wait. */
export function modelWaitText(
  t: TFunction,
  waiting: 'talk' | 'chat',
  model: LocalModelState | undefined,
): string | undefined {
  if (waiting === 'chat' && model?.chat?.kind === 'own') {
    const { server } = model.chat;
    return server.kind === 'loading' ? modelLoadingText(t, server) : undefined;
  }
  if (model?.server.kind === 'loading') return modelLoadingText(t, model.server);
  if (model?.user === undefined || model.user === waiting) return undefined;
  return t(waiting === 'chat' ? 'model.notWhileTalking' : 'model.chatFirst');
}

/** Says that a second copy of the model answers chats, or why none does. */
export function chatPlaceText(t: TFunction, chat: ChatPlace | undefined): string | undefined {
  if (chat?.kind === 'turns')
    return joinSentences(t, t('model.chatTurns'), errorText(t, chat.error));
  return chat?.server.kind === 'ready' ? t('model.chatCopy') : undefined;
}
