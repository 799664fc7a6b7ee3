import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useUiState } from '../../store/use-app-context.ts';
import { AnswerTurn } from './answer-turn.tsx';
import { QuestionTurn } from './question-turn.tsx';

interface Props {
  readonly index: number;
}

/** One turn by its place; rendered again when that turn is another one. */
export const TurnItem = memo(({ index }: Props) => {
  const { t } = useTranslation();
  const turn = useUiState(({ chat }) => chat.conversation?.turns[index]);
  const forgotten = useUiState(
    ({ chat: { sent } }) => sent !== undefined && sent.leftOut > 0 && sent.from === turn?.id,
  );
  const gone = useUiState(({ removed }) => removed?.keys.has(`turn ${turn?.id}`) === true);
  if (turn === undefined) return null;
  // Its place stays: what is looked for is found by its number.
  if (gone) return <li className="turn" hidden />;
  return (
    <li className="turn" data-role={turn.role}>
      {forgotten && <p className="turn-forgotten">{t('chat.forgotten')}</p>}
      {turn.role === 'user' ? (
        <QuestionTurn key={turn.id} turn={turn} index={index} />
      ) : (
        <AnswerTurn key={turn.id} turn={turn} index={index} />
      )}
    </li>
  );
});
TurnItem.displayName = 'TurnItem';
