import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkRecordTurn } from '../../shared/history/talk-record.ts';
import './spoken-by.css';

interface Props {
  readonly name: string;
  /** Who wrote it down; nothing where it is Parley's own words. */
  readonly transcribed: TalkRecordTurn['transcribed'];
  readonly children?: ReactNode;
}

/** Who said what stands below. */
export function SpokenBy({ name, transcribed, children }: Props) {
  const { t } = useTranslation();
  return (
    <p className="spoken-by">
      <span>{name}</span>
      {transcribed !== undefined && (
        <span className="spoken-machine">{t(`history.talk.${transcribed}`)}</span>
      )}
      {children}
    </p>
  );
}
