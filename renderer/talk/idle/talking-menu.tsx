import { AudioLines } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuChoice } from '../../design/menu.tsx';
import { useTalkKeyName } from '../../keys/use-talk-key-name.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { IdleChoiceButton } from './idle-choice-button.tsx';

/** Who is heard only while a key is held is told before; an open microphone needs no word. */
export function TalkingMenu() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const mode = useUiState(({ settings }) => settings?.talking.mode ?? 'open');
  const key = useTalkKeyName();
  if (mode === 'open') return null;
  const choices = {
    open: t('talk.talkings.open'),
    hold: t('talk.talkings.hold', { key }),
    tap: t('talk.talkings.tap', { key }),
    holdOrTap: t('talk.talkings.holdOrTap', { key }),
  };
  const what = t('talk.talking');
  return (
    <Menu trigger={<IdleChoiceButton icon={AudioLines} what={what} chosen={choices[mode]} />}>
      <MenuChoice
        name={what}
        value={mode}
        choices={choices}
        choose={(chosen) => void setup.choose('talking.mode', { talking: { mode: chosen } })}
      />
    </Menu>
  );
}
