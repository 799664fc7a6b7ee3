import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkRecordTurn } from '../../../shared/recordings/talk-record.ts';
import type { CaptionedTurn, UserPhrase } from '../../../shared/talk/talk-view.ts';
import { PhraseField } from '../../design/edit-in-place.tsx';
import './caption-text.css';

export interface CaptionParts {
  readonly heard: string;
  readonly coming: string;
  readonly cut: string;
}

/** Splits a turn's text into three ranges, never inside a surrogate pair. */
export function toCaptionParts({
  text,
  heard,
  cutFrom,
}: Pick<CaptionedTurn, 'text' | 'heard' | 'cutFrom'>): CaptionParts {
  const end = afterSurrogatePair(text, Math.min(cutFrom ?? text.length, text.length));
  const until = Math.min(afterSurrogatePair(text, heard), end);
  // The space before the first cut word is not struck through.
  const cut = text.slice(end).trimStart();
  const coming = text.slice(until, text.length - cut.length);
  return { heard: text.slice(0, until), coming, cut };
}

export function sliceCaptionParts(
  { heard, coming, cut }: CaptionParts,
  from: number,
  to: number,
): CaptionParts {
  const within = (start: number, part: string): string =>
    part.slice(Math.max(0, from - start), Math.max(0, to - start));
  return {
    heard: within(0, heard),
    coming: within(heard.length, coming),
    cut: within(heard.length + coming.length, cut),
  };
}

function afterSurrogatePair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}

export function CaptionText({ heard, coming, cut }: CaptionParts) {
  const { t } = useTranslation();
  return (
    <>
      {heard}
      {coming !== '' && <span className="caption-coming">{coming}</span>}
      {cut !== '' && (
        <>
          <span className="visually-hidden"> ({t('talk.captions.cut')}) </span>
          <s className="caption-cut">{cut}</s>
        </>
      )}
    </>
  );
}

/** Each name includes the separator that follows it. */
interface SpeakerNames {
  readonly you: string;
  readonly parley: string;
}

interface TranscriptParts {
  readonly captions: readonly CaptionedTurn[];
  readonly phrases: readonly UserPhrase[];
}

export function formatTranscript(
  { captions, phrases }: TranscriptParts,
  names: SpeakerNames,
): string {
  const written = phrases.filter(({ text }) => text !== '');
  const phrasesBetween = (from: number, to: number): readonly string[] =>
    written
      .filter(({ after = -Infinity }) => after >= from && after < to)
      .map(({ text }) => `${names.you}${text}`);
  const lines: string[] = [];
  let before = -Infinity;
  for (const turn of captions) {
    lines.push(...phrasesBetween(before, turn.turn));
    const { heard } = toCaptionParts(turn);
    if (heard.trim() !== '') lines.push(`${names.parley}${heard.trim()}`);
    before = turn.turn;
  }
  return [...lines, ...phrasesBetween(before, Infinity)].join('\n\n');
}

interface Props {
  readonly words: string;
  /** Shown when there are no words. */
  readonly placeholder: string;
  /** Resolves false if the core refused the words. */
  readonly onCorrect: ((words: string) => Promise<boolean>) | undefined;
}

/** The transcript of a phrase of the user; a click starts editing it. */
export function UserTranscriptText({ words, placeholder, onCorrect }: Props) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  /** Words that the core refused, for another try. */
  const [refused, setRefused] = useState<string>();
  const shown = words === '' ? placeholder : words;
  if (onCorrect === undefined)
    return (
      <p className="words-plain" dir="auto" data-known={words !== ''}>
        {shown}
      </p>
    );
  const correct = async (typed: string): Promise<void> => {
    const kept = (await onCorrect(typed)) ? undefined : typed;
    setRefused(kept);
    if (kept !== undefined) setEditing(true);
  };
  if (isEditing)
    return (
      <PhraseField
        label={t('talk.own.field')}
        words={words}
        typed={refused}
        onSubmit={(typed) => void correct(typed)}
        onEnd={(end) => {
          setEditing(false);
          if (end !== 'left') setRefused(undefined);
        }}
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
      <span className="visually-hidden"> ({t('talk.own.correct')})</span>
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
