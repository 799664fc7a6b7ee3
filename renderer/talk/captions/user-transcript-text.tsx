import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkRecordTurn } from '../../../shared/recordings/talk-record.ts';
import { PhraseField } from '../../design/edit-in-place.tsx';
import './user-transcript-text.css';

interface Props {
  readonly words: string;
  /** Shown when there are no words. */
  readonly placeholder: string;
  readonly onCorrect: ((words: string) => void) | undefined;
}

/** The transcript of a phrase of the user; a click starts editing it. */
export function UserTranscriptText({ words, placeholder, onCorrect }: Props) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const shown = words === '' ? placeholder : words;
  if (onCorrect === undefined)
    return (
      <p className="words-plain" dir="auto" data-known={words !== ''}>
        {shown}
      </p>
    );
  if (isEditing)
    return (
      <PhraseField
        label={t('talk.own.field')}
        words={words}
        onSubmit={onCorrect}
        onEnd={() => setEditing(false)}
      />
    );
  return (
    <button
      type="button"
      className="words-button"
      dir="auto"
      title={t('talk.own.correct')}
      data-known={words !== ''}
      onClick={() => setEditing(true)}
    >
      {shown}
      <span className="only-heard"> ({t('talk.own.correct')})</span>
    </button>
  );
}

interface SpokenByProps {
  readonly name: string;
  /** The source of the transcription; undefined for Parley's answers. */
  readonly transcribed: TalkRecordTurn['transcribed'];
  readonly children?: ReactNode;
}

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
