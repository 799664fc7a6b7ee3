import { useTranslation } from 'react-i18next';
import type { Turn } from '../../../shared/chat/chat-thread.ts';
import type { AskedName } from '../../store/removal/removal-actions.ts';
import { useActions, useAppContext } from '../../store/use-app-context.ts';

/** What is asked next is asked without it, and of the conversation that is open. */
const goesBefore: readonly AskedName[] = [
  'sendChat',
  'retryChat',
  'goOnChat',
  'editChat',
  'chooseChatBranch',
  'beginChat',
  'openChat',
];

/** A message goes, a question with its answer, and can be had back for a while. */
export function useRemoveTurn(): (turn: Turn) => void {
  const { t } = useTranslation();
  const { chat, removal } = useActions();
  const { store } = useAppContext();
  return ({ id, role }) => {
    const { conversation, speaking } = store.getState().chat;
    const turns = conversation?.turns ?? [];
    const next = turns[turns.findIndex((turn) => turn.id === id) + 1];
    const answer = role === 'user' && next?.role === 'assistant' ? next : undefined;
    const keys = [id, ...(answer === undefined ? [] : [answer.id])];
    if (answer?.state.kind === 'streaming') void chat.stop();
    if (speaking !== undefined && keys.includes(speaking.turn)) void chat.silence();
    removal.remove({
      keys: keys.map((key) => `turn ${key}`),
      told: t('shell.undo.message'),
      remove: () => chat.removeTurn(id),
      goesBefore,
    });
  };
}
