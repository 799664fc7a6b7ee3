import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { useActions } from '../store/use-app-context.ts';
import { Choice } from './choice.tsx';

const languages = ['en', 'zh'] as const;

/** Both in their own names, so that whoever reads one of them finds it. */
export function LanguageStep({ next }: { readonly next: () => void }) {
  const { t, i18n } = useTranslation();
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
        {languages.map((language) => (
          <Choice
            key={language}
            group={group}
            lang={language}
            name={t(`shell.languages.${language}`)}
            checked={i18n.language === language}
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
