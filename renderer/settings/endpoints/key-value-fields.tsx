import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import type { FormField } from '../../store/settings/endpoint-form.ts';
import { endpointFormId } from '../../store/settings/settings-ui-state.ts';
import { useActions } from '../../store/use-app-context.ts';
import { Setting } from '../controls/setting.tsx';

interface Props {
  readonly part: 'headers' | 'query';
  readonly fields: readonly FormField[];
  readonly add: string;
}

const maxFields = 40;

/** Names with values; one that the core has stored is not shown and can be replaced. */
export function KeyValueFields({ part, fields, add }: Props) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const set = (next: readonly FormField[]): void => {
    setup.fillIn({ [part]: next });
  };
  const change = (at: number, field: Partial<FormField>): void => {
    set(fields.map((each, index) => (index === at ? { ...each, ...field } : each)));
  };
  return (
    <Setting at={`endpoints.${part}`} field={`${endpointFormId}.${part}`} wide>
      {() => (
        <>
          {fields.map((field, at) => (
            <div className="form-field" key={field.key}>
              <input
                type="text"
                className="text-field"
                aria-label={t('settings.servers.fieldName')}
                placeholder={t('settings.servers.fieldName')}
                maxLength={200}
                spellCheck={false}
                value={field.name}
                onChange={({ target }) => {
                  // The stored value belongs to the old name.
                  change(at, { name: target.value, value: field.value ?? '' });
                }}
              />
              <input
                type="text"
                className="text-field"
                aria-label={t('settings.servers.fieldValue')}
                placeholder={t(
                  field.value === null
                    ? 'settings.servers.fieldKept'
                    : 'settings.servers.fieldValue',
                )}
                maxLength={8000}
                spellCheck={false}
                value={field.value ?? ''}
                onChange={({ target }) => {
                  change(at, { value: target.value });
                }}
              />
              <IconButton
                icon={X}
                label={t('settings.servers.removeField', { name: field.name })}
                onClick={() => {
                  set(fields.filter((_field, index) => index !== at));
                }}
              />
            </div>
          ))}
          {fields.length < maxFields && (
            <Button
              onClick={() => {
                const key = Math.max(-1, ...fields.map((field) => field.key)) + 1;
                set([...fields, { key, name: '', value: '' }]);
              }}
            >
              {add}
            </Button>
          )}
        </>
      )}
    </Setting>
  );
}
