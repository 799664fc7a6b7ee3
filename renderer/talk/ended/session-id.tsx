import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { copyText } from '../../parts/copy-text.ts';

/** What whoever runs the server finds a session by. */
export function SessionId({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<boolean>();
  return (
    <div className="session-id">
      <p>
        {t('talk.ended.session')} <code dir="ltr">{id}</code>
      </p>
      <Button
        kind="quiet"
        onClick={() => {
          setCopied(copyText(id));
        }}
      >
        {t('talk.ended.copySession')}
      </Button>
      <p role="status" className="session-id-copied">
        {copied === undefined ? '' : t(copied ? 'talk.ended.copied' : 'talk.ended.copyFailed')}
      </p>
    </div>
  );
}
