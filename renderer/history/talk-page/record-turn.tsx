import { useTranslation } from 'react-i18next';
import type { TalkRecordTurn } from '../../../shared/history/talk-record.ts';
import { OwnWordsText } from '../../parts/own-words-text.tsx';
import { SpokenBy } from '../../parts/spoken-by.tsx';
import { captionPartsOf } from '../../talk/captions/caption-parts.ts';
import { CaptionText } from '../../talk/captions/caption-text.tsx';
import { heardParts } from './record-lines.ts';

interface Props {
  readonly turn: TalkRecordTurn;
  readonly over: boolean;
  /** What was looked for stands here. */
  readonly found: boolean;
  /** Puts the person's own words right. */
  readonly correct: (at: number, words: string) => void;
}

/** Who said what: as it was heard, what was cut struck out, and whether a machine wrote it down. */
export function RecordTurn({ turn, over, found, correct }: Props) {
  const { t } = useTranslation();
  return (
    <div className="kept-turn" data-by={turn.by}>
      <SpokenBy
        name={t(turn.by === 'person' ? 'history.talk.you' : 'history.talk.parley')}
        transcribed={turn.transcribed}
      >
        {found && <span className="only-heard">{t('history.talk.found')}</span>}
      </SpokenBy>
      {turn.by === 'person' ? (
        <OwnWordsText
          words={turn.text}
          instead=""
          correct={(words) => {
            correct(turn.at, words);
          }}
        />
      ) : (
        <p dir="auto">
          <CaptionText {...captionPartsOf(heardParts(turn, over))} />
        </p>
      )}
    </div>
  );
}
