import {
  ArrowLeft,
  Copy,
  Download,
  Ellipsis,
  Flag,
  FolderOpen,
  GitCompareArrows,
  Pencil,
  Pin,
  PinOff,
  Play,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenedTalkRecord } from '../../shared/recordings/talk-record.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button, IconButton, PlainIconButton } from '../design/controls.tsx';
import { copyText } from '../design/copy-text.ts';
import { TitleField } from '../design/edit-in-place.tsx';
import { Menu, MenuItem } from '../design/layers.tsx';
import {
  errorText,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatLaterTime,
  serverName,
} from '../i18n/format.ts';
import { isTextless, recordText, talkTitle } from './history-text.ts';
import { RemoveItems } from './remove-entries.tsx';
import { TalkLines } from './talk-lines.tsx';

interface Props {
  /** Whether the window is too narrow for the list beside the talk. */
  readonly narrow: boolean;
  readonly onRemove: (recordings: 'delete' | 'keep') => void;
}

export function TalkPage({ narrow, onRemove }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const opened = useUiState(({ history }) => history.opened);
  if (opened === undefined) return null;
  const { id, talk, error, turn } = opened;
  if (talk === undefined)
    return (
      <section className="history-talk" aria-label={t('history.talk.name')}>
        <div className="history-talk-head">{narrow && <BackButton />}</div>
        <div className="history-empty" role="status">
          <p dir="auto">{error === undefined ? t('history.talk.opening') : errorText(t, error)}</p>
          {error !== undefined && (
            <Button onClick={() => void history.openTalk(id, turn)}>{t('buttons.again')}</Button>
          )}
        </div>
      </section>
    );
  return (
    <section className="history-talk" aria-label={t('history.talk.name')}>
      <TalkPageHead talk={talk} narrow={narrow} onRemove={onRemove} />
      <TalkPageFacts talk={talk} />
      <TalkLines talk={talk} targetTurn={turn} />
    </section>
  );
}

interface TalkPageHeadProps {
  readonly talk: OpenedTalkRecord;
  readonly narrow: boolean;
  readonly onRemove: (recordings: 'delete' | 'keep') => void;
}

function TalkPageHead({ talk, narrow, onRemove }: TalkPageHeadProps) {
  const { id, record } = talk;
  const { t } = useTranslation();
  const { history, reporting } = useActions();
  const [isRenaming, setRenaming] = useState(false);
  const [copied, setCopied] = useState<'copied' | 'notCopied'>();
  const ref = { kind: 'talk', id } as const;
  const title = talkTitle(t, talk);
  const copy = (): void => {
    setCopied(copyText(recordText(record, t)) ? 'copied' : 'notCopied');
  };
  return (
    <div className="history-talk-head">
      {narrow && <BackButton />}
      {isRenaming ? (
        <TitleField
          label={t('history.newName')}
          title={title}
          onRename={(name) => void history.rename(ref, name)}
          onEnd={() => setRenaming(false)}
        />
      ) : (
        <>
          <h2 className="clamped" dir="auto">
            {title}
          </h2>
          <IconButton icon={Pencil} label={t('buttons.rename')} onClick={() => setRenaming(true)} />
        </>
      )}
      <IconButton
        icon={record.pinned ? PinOff : Pin}
        label={t(record.pinned ? 'buttons.unpin' : 'buttons.pin')}
        onClick={() => void history.pin(ref, !record.pinned)}
      />
      <Menu
        trigger={
          <PlainIconButton icon={Ellipsis} strokeWidth={2} label={t('history.more', { title })} />
        }
      >
        <MenuItem icon={Copy} onSelect={copy}>
          {t('history.actions.copy')}
        </MenuItem>
        <MenuItem icon={Flag} onSelect={() => reporting.open(ref)}>
          {t('report.action')}
        </MenuItem>
        <MenuItem icon={FolderOpen} onSelect={() => void history.showFolder(ref)}>
          {t('buttons.folder')}
        </MenuItem>
        <RemoveItems taped={talk.tape && !isTextless(talk)} onRemove={onRemove} />
      </Menu>
      <p className="visually-hidden" role="status">
        {copied !== undefined && t(`history.${copied}`)}
      </p>
    </div>
  );
}

/** Shown where the talk replaces the list. */
function BackButton() {
  const { t } = useTranslation();
  const { history } = useActions();
  return <IconButton icon={ArrowLeft} label={t('history.talk.back')} onClick={history.close} />;
}

interface TalkPageFactsProps {
  readonly talk: OpenedTalkRecord;
}

function TalkPageFacts({ talk }: TalkPageFactsProps) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { record, bytes } = talk;
  const { begunAt, savedAt, mode, server } = record;
  const name = serverName(t, server.name);
  const serverText = server.address === undefined ? name : `${name} (${server.address})`;
  return (
    <div className="history-facts hint">
      <ul>
        <li>{formatDateTime(begunAt, language)}</li>
        <li>{formatDuration(Math.max(0, savedAt - begunAt) / 1000, language)}</li>
        <li>{t(`talk.modes.${mode}`)}</li>
        <li dir="auto">{t('history.talk.server', { server: serverText })}</li>
        <li>{t('history.talk.kept', { size: formatBytes(bytes) })}</li>
      </ul>
      <EndingText talk={talk} />
      <TalkPageButtons talk={talk} />
      <TapeWordsLine talk={talk} />
    </div>
  );
}

function EndingText({ talk }: TalkPageFactsProps) {
  const { record, isRunning } = talk;
  const { t, i18n } = useTranslation();
  const { ending, begunAt, savedAt } = record;
  // A talk without text has only its replay, which shows why the talk ended.
  if (isTextless(talk) && record.ending !== undefined) return null;
  if (isRunning) return <p>{t('history.talk.isRunning')}</p>;
  if (ending === undefined) {
    const time = formatLaterTime(savedAt, begunAt, i18n.language);
    return <p>{t('history.talk.cut', { time })}</p>;
  }
  return (
    <p dir="auto">
      {ending.by === 'client' ? t('history.talk.ended') : errorText(t, ending.error)}
    </p>
  );
}

function TalkPageButtons({ talk }: TalkPageFactsProps) {
  const { id, tape, isRunning } = talk;
  const { t } = useTranslation();
  const { replay, comparing, exporting, go, continueTalk } = useActions();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  // Only the newest talk can be continued, because the core keeps no other transcript.
  const isLast = useUiState(({ storage: { talk } }) => talk.kind === 'stored' && talk.id === id);
  const title = talkTitle(t, talk);
  const canContinue = isLast && phase === 'ended';
  return (
    <div className="history-buttons button-row">
      {isRunning && (
        <Button kind="strong" onClick={() => go('talk')}>
          {t('replay.toTalk')}
        </Button>
      )}
      {tape && !isRunning && (
        <Button
          kind="strong"
          icon={<Play aria-hidden />}
          onClick={() => void replay.open({ kind: 'tape', tape: id })}
        >
          {t('places.replay')}
        </Button>
      )}
      {tape && !isRunning && (
        <Button
          icon={<GitCompareArrows aria-hidden />}
          onClick={() => void comparing.open(id, title)}
        >
          {t('compare.action')}
        </Button>
      )}
      {!isRunning && (
        <Button
          icon={<Download aria-hidden />}
          onClick={() => void exporting.open({ kind: 'talk', id }, title)}
        >
          {t('export.action')}
        </Button>
      )}
      {canContinue && (
        <Button
          onClick={() => {
            go('talk');
            void continueTalk('transcript');
          }}
        >
          {t('history.talk.goOn')}
        </Button>
      )}
    </div>
  );
}

function TapeWordsLine({ talk: { id, record, tape, isRunning, words } }: TalkPageFactsProps) {
  const { t } = useTranslation();
  const { history } = useActions();
  const isTranscribed = record.turns.some(({ by }) => by === 'person');
  // The words of a talk that is still being transcribed arrive without a request.
  const isTranscribing = useUiState(
    ({ storage: { talk }, userTranscript }) =>
      talk.kind === 'stored' && talk.id === id && userTranscript.phrases.length > 0,
  );
  if (words?.isRunning === true)
    return <p role="status">{t('history.words.isRunning', { count: words.written })}</p>;
  const { error } = words ?? {};
  const showsOffer =
    tape && !isRunning && !isTranscribing && (!isTranscribed || error !== undefined);
  if (!showsOffer) return null;
  return (
    <div className="history-transcribe">
      {error !== undefined && (
        <p role="status" dir="auto">
          {t('talk.own.notes.failedFor', { reason: errorText(t, error) })}
        </p>
      )}
      {error === undefined && words !== undefined ? (
        <p role="status">{t('history.words.none')}</p>
      ) : (
        <>
          <Button onClick={() => void history.writeWords(id)}>{t('history.words.write')}</Button>
          <p className="hint" dir="auto">
            {t('history.words.hint', { server: serverName(t, record.server.name) })}
          </p>
        </>
      )}
    </div>
  );
}
