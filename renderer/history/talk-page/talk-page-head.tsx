import {
  ArrowLeft,
  Copy,
  Download,
  Ellipsis,
  Flag,
  FolderOpen,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenedTalkRecord } from '../../../shared/history/opened-talk-record.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Menu, MenuItem } from '../../design/menu.tsx';
import { useKeepKeyboard } from '../../design/use-keep-keyboard.ts';
import { copyText } from '../../parts/copy-text.ts';
import { TitleField } from '../../parts/title-field.tsx';
import { useActions } from '../../store/use-app-context.ts';
import { isTextless, recordText, recordTitle } from './record-lines.ts';

interface Props {
  readonly talk: OpenedTalkRecord;
  readonly narrow: boolean;
  readonly remove: () => void;
}

/** Its name, and what can be done to it. */
export function TalkPageHead({ talk, narrow, remove }: Props) {
  const { id, record, goesOn } = talk;
  const { t } = useTranslation();
  const { history, exporting, reporting } = useActions();
  const [renames, setRenames] = useState(false);
  const [copied, setCopied] = useState<'copied' | 'notCopied'>();
  const keyboard = useKeepKeyboard();
  const ref = { kind: 'talk', id } as const;
  const named = recordTitle(record);
  const title = named === '' ? t(isTextless(talk) ? 'history.taped' : 'history.unsaid') : named;
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
        <h2 dir="auto">{title}</h2>
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
        closing={keyboard.closing}
      >
        <MenuItem
          icon={Pencil}
          run={() => {
            keyboard.keep();
            setRenames(true);
          }}
        >
          {t('history.actions.rename')}
        </MenuItem>
        <MenuItem icon={Copy} run={copy}>
          {t('history.actions.copy')}
        </MenuItem>
        {!goesOn && (
          <MenuItem icon={Download} run={() => void exporting.open(ref, title)}>
            {t('export.action')}
          </MenuItem>
        )}
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
        <MenuItem icon={Trash2} run={remove}>
          {t('history.actions.remove')}
        </MenuItem>
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
