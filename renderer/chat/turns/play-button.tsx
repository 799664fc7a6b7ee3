import { Square, Volume2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AssistantTurn } from '../../../shared/chat/chat-thread.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** Reads an answer aloud again, as long as its speech is there. */
export function PlayButton({ turn }: { readonly turn: AssistantTurn }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const playing = useUiState(({ chat }) => chat.speaking?.turn === turn.id);
  if (playing) {
    return (
      <IconButton
        icon={Square}
        label={t('chat.actions.silence')}
        data-held
        onClick={() => void chat.silence()}
      />
    );
  }
  if (turn.speechSeconds === 0 || turn.state.kind === 'streaming') return null;
  return (
    <IconButton
      icon={Volume2}
      label={t('chat.actions.play')}
      onClick={() => void chat.play(turn.id)}
    />
  );
}
