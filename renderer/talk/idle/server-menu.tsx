import { Plus, Server } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuChoice, MenuItem } from '../../design/menu.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { endpointName } from '../session-bar.tsx';
import { IdleChoiceButton } from './idle-choice-button.tsx';

/** Whom the next talk is with. */
export function ServerMenu() {
  const { t } = useTranslation();
  const { setup, openSettings } = useActions();
  const endpoints = useUiState(({ settings }) => settings?.endpoints);
  if (endpoints === undefined) return null;
  const { chosen, list } = endpoints;
  const choices = Object.fromEntries(list.map(({ id, name }) => [id, endpointName(t, name)]));
  const what = t('aroundTalk.idle.server');
  return (
    <Menu trigger={<IdleChoiceButton icon={Server} what={what} chosen={choices[chosen] ?? ''} />}>
      <MenuChoice
        name={what}
        value={chosen}
        choices={choices}
        choose={(id) => void setup.choose('endpoints.list', { endpoints: { chosen: id } })}
      />
      <MenuItem
        icon={Plus}
        run={() => {
          openSettings('endpoints');
          setup.addServer();
        }}
      >
        {t('aroundTalk.idle.addServer')}
      </MenuItem>
    </Menu>
  );
}
