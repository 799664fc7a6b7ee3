import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { languageIds, languages } from '../../shared/i18n/languages.ts';
import { useLanguage } from '../i18n/use-language.ts';
import { useActions } from '../store/use-app-context.ts';
import { Choice } from './choice.tsx';

/** Each in its own name, so that whoever reads one of them finds it. */
export function LanguageStep({ next }: { readonly next: () => void }) {
  const { t } = useTranslation();
  const shown = useLanguage();
  const { changeSettings } = useActions();
  const group = useId();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      <fieldset>
        <legend className="only-heard">{t('firstRun.language.title')}</legend>
        {languageIds.map((language) => (
          <Choice
            key={language}
            group={group}
            lang={languages[language].tag}
            name={languages[language].ownName}
            checked={shown === language}
            choose={() => {
              void changeSettings({ appearance: { language } });
            }}
          />
        ))}
      </fieldset>
      <Button kind="strong" type="submit">
        {t('firstRun.next')}
      </Button>
    </form>
  );
}
