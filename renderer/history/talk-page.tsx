import { ArrowLeft, Copy, Ellipsis, Flag, FolderOpen, Pencil, Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenedTalkRecord } from '../../shared/recordings/talk-record.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button, IconButton } from '../design/button.tsx';
import { copyText } from '../design/copy-text.ts';
import { TitleField } from '../design/edit-in-place.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { errorText } from '../i18n/error-text.ts';
import { isTextless, recordText, talkTitle } from './history-text.ts';
import { RemoveItems } from './remove-entries.tsx';
import { TalkLines } from './talk-lines.tsx';
import { TalkPageFacts } from './talk-page-facts.tsx';

interface Props {
  /** There is no room for the list beside it. */
  readonly narrow: boolean;
  readonly remove: (recordings: 'too' | 'stay') => void;
}

/** One talk: when and with whom, how it ended, and all that was heard and seen. */
export function TalkPage({ narrow, remove }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const opened = useUiState(({ history }) => history.opened);
  if (opened === undefined) return null;
  const { id, talk, error, turn } = opened;
  if (talk === undefined) {
    return (
      <section className="kept-talk" aria-label={t('history.talk.name')}>
        <div className="kept-talk-head">{narrow && <BackButton />}</div>
        <div className="kept-empty" role="status">
          <p dir="auto">{error === undefined ? t('history.talk.opening') : errorText(t, error)}</p>
          {error !== undefined && (
            <Button onClick={() => void history.openTalk(id, turn)}>
              {t('history.talk.again')}
            </Button>
          )}
        </div>
      </section>
    );
  }
  return (
    <section className="kept-talk" aria-label={t('history.talk.name')}>
      <TalkPageHead talk={talk} narrow={narrow} remove={remove} />
      <TalkPageFacts talk={talk} />
      <TalkLines talk={talk} wanted={turn} />
    </section>
  );
}

interface TalkPageHeadProps {
  readonly talk: OpenedTalkRecord;
  readonly narrow: boolean;
  readonly remove: (recordings: 'too' | 'stay') => void;
}

/** Its name, and what can be done to it. */
function TalkPageHead({ talk, narrow, remove }: TalkPageHeadProps) {
  const { id, record } = talk;
  const { t } = useTranslation();
  const { history, reporting } = useActions();
  const [renames, setRenames] = useState(false);
  const [copied, setCopied] = useState<'copied' | 'notCopied'>();
  const ref = { kind: 'talk', id } as const;
  const title = talkTitle(t, talk);
  const copy = (): void => {
    const names = { you: t('history.talk.you'), parley: t('history.talk.parley') };
    setCopied(copyText(recordText(record, names)) ? 'copied' : 'notCopied');
  };
  return (
    <div className="kept-talk-head">
      {narrow && <BackButton />}
      {renames ? (
        <TitleField
          label={t('history.newName')}
          title={title}
          rename={(name) => void history.rename(ref, name)}
          end={() => {
            setRenames(false);
          }}
        />
      ) : (
        <>
          <h2 dir="auto">{title}</h2>
          <IconButton
            icon={Pencil}
            label={t('history.actions.rename')}
            onClick={() => {
              setRenames(true);
            }}
          />
        </>
      )}
      <IconButton
        icon={record.pinned ? PinOff : Pin}
        label={t(record.pinned ? 'history.actions.unpin' : 'history.actions.pin')}
        onClick={() => void history.pin(ref, !record.pinned)}
      />
      <Menu
        trigger={
          <button type="button" className="icon-button" aria-label={t('history.more', { title })}>
            <Ellipsis aria-hidden />
          </button>
        }
      >
        <MenuItem icon={Copy} run={copy}>
          {t('history.actions.copy')}
        </MenuItem>
        <MenuItem
          icon={Flag}
          run={() => {
            reporting.open(ref);
          }}
        >
          {t('report.action')}
        </MenuItem>
        <MenuItem icon={FolderOpen} run={() => void history.showFolder(ref)}>
          {t('history.actions.folder')}
        </MenuItem>
        <RemoveItems taped={talk.tape && !isTextless(talk)} remove={remove} />
      </Menu>
      <p className="only-heard" role="status">
        {copied !== undefined && t(`history.${copied}`)}
      </p>
    </div>
  );
}

/** Where the talk stands in the place of the list. */
function BackButton() {
  const { t } = useTranslation();
  const { history } = useActions();
  return <IconButton icon={ArrowLeft} label={t('history.talk.back')} onClick={history.close} />;
}
