import { AudioLines } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { useTalkKeyName } from '../keys/use-talk-key-name.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** How one talks: with an open microphone, or with a key. */
export function TalkingModeMenu() {
  const { t } = useTranslation();
  const { setTalking } = useActions();
  const talking = useUiState(({ controls }) => controls.talking);
  const key = useTalkKeyName();
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="icon-button" aria-label={t('talk.talking')}>
          <AudioLines strokeWidth={1.75} aria-hidden />
          <span className="label" aria-hidden>
            {t('talk.talking')}
          </span>
        </button>
      }
    >
      <MenuChoice
        name={t('talk.talking')}
        value={talking}
        choices={t('talk.talkings', { returnObjects: true, key })}
        choose={(mode) => void setTalking(mode)}
      />
    </Menu>
  );
}
