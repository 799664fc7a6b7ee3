import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkRecordTurn } from '../../../shared/recordings/talk-record.ts';
import { WordsField } from '../../design/edit-in-place.tsx';
import './own-words-text.css';

interface Props {
  readonly words: string;
  /** What stands there where there are no words. */
  readonly instead: string;
  /** None where they are only shown. */
  readonly correct: ((words: string) => void) | undefined;
}

/** The person's own words; a click puts them right. */
export function OwnWordsText({ words, instead, correct }: Props) {
  const { t } = useTranslation();
  const [edits, setEdits] = useState(false);
  const shown = words === '' ? instead : words;
  if (correct === undefined)
    return (
      <p className="words-plain" dir="auto" data-known={words !== ''}>
        {shown}
      </p>
    );
  if (edits)
    return (
      <WordsField
        label={t('talk.own.field')}
        words={words}
        take={correct}
        end={() => setEdits(false)}
      />
    );
  return (
    <button
      type="button"
      className="words-button"
      dir="auto"
      title={t('talk.own.correct')}
      data-known={words !== ''}
      onClick={() => setEdits(true)}
    >
      {shown}
      <span className="only-heard"> ({t('talk.own.correct')})</span>
    </button>
  );
}

interface SpokenByProps {
  readonly name: string;
  /** Who wrote it down; nothing where it is Parley's own words. */
  readonly transcribed: TalkRecordTurn['transcribed'];
  readonly children?: ReactNode;
}

/** Who said what stands below. */
export function SpokenBy({ name, transcribed, children }: SpokenByProps) {
  const { t } = useTranslation();
  return (
    <p className="spoken-by hint">
      <span>{name}</span>
      {transcribed !== undefined && (
        <span className="spoken-machine">{t(`history.talk.${transcribed}`)}</span>
      )}
      {children}
    </p>
  );
}
