import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useView } from '../store/use-desk.ts';
import { AnswerTurn } from './answer-turn.tsx';
import { QuestionTurn } from './question-turn.tsx';

interface Props {
  readonly index: number;
}

/** One turn by its place; rendered again when that turn is another one. */
export const TurnPlace = memo(({ index }: Props) => {
  const { t } = useTranslation();
  const turn = useView(({ chat }) => chat.conversation?.turns[index]);
  const forgotten = useView(
    ({ chat: { sent } }) => sent !== undefined && sent.leftOut > 0 && sent.from === turn?.id,
  );
  if (turn === undefined) return null;
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
TurnPlace.displayName = 'TurnPlace';
