import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appError } from '../../../shared/errors/app-error.ts';
import { parseJsonObject } from '../../../shared/protocol/json.ts';
import { isConfig } from '../../../shared/settings/config-fields.ts';
import type { AssistantSettings } from '../../../shared/settings/assistant-settings.ts';
import { errorText } from '../../parts/error-text.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { FurtherFields } from '../controls/further-fields.tsx';
import { Setting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

/** Further fields that go along with the chosen role. */
export function PresetConfig() {
  const { preset } = useSettingsGroup('assistant');
  return <FieldsOf key={preset} preset={preset} />;
}

function FieldsOf({ preset }: Pick<AssistantSettings, 'preset'>) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { configs } = useSettingsGroup('assistant');
  const field = `assistant.configs.${preset}`;
  const held = useUiState(({ settingsUi }) => settingsUi.fields[field]);
  /** As it is being typed: what is kept meanwhile is laid out anew, and would move the caret. */
  const [draft, setDraft] = useState<string>();
  const kept = configs[preset];
  const stored = kept === undefined ? '' : JSON.stringify(kept, undefined, 2);
  const typed = typeof held?.typed === 'string' ? held.typed : stored;
  const write = (text: string): void => {
    setDraft(text);
    const config = text.trim() === '' ? {} : parseJsonObject(text);
    if (config === undefined || !isConfig(config))
      setup.holdInvalid(field, text, errorText(t, appError('configForm')));
    else setup.edit(field, text, { assistant: { configs: { ...configs, [preset]: config } } });
  };
  return (
    <Setting at="assistant.configs" field={field} wide>
      {(aria) => (
        <FurtherFields
          {...aria}
          aria-invalid={held?.problem !== undefined}
          value={draft ?? typed}
          write={write}
          onBlur={() => {
            setDraft(undefined);
            setup.flush(field);
          }}
        />
      )}
    </Setting>
  );
}
