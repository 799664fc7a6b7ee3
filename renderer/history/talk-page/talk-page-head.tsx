import { ArrowLeft, Copy, Ellipsis, Flag, FolderOpen, Pencil, Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenedTalkRecord } from '../../../shared/history/opened-talk-record.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { copyText } from '../../parts/copy-text.ts';
import { TitleField } from '../../parts/title-field.tsx';
import { useActions } from '../../store/use-app-context.ts';
import { RemoveItems } from '../list/remove-items.tsx';
import { isTextless, recordText } from './record-lines.ts';
import { talkTitle } from './talk-title.ts';

interface Props {
  readonly talk: OpenedTalkRecord;
  readonly narrow: boolean;
  readonly remove: (recordings: 'too' | 'stay') => void;
}

/** Its name, and what can be done to it. */
export function TalkPageHead({ talk, narrow, remove }: Props) {
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
export function BackButton() {
  const { t } = useTranslation();
  const { history } = useActions();
  return <IconButton icon={ArrowLeft} label={t('history.talk.back')} onClick={history.close} />;
}
