import { Copy, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { copyText } from '../parts/copy-text.ts';
import { prettyJson } from './format-wire-frame.ts';
import type { LoggedWireFrame } from './wire-log.ts';

interface Props {
  readonly frame: LoggedWireFrame;
  readonly close: () => void;
}

/** One event in full, as far as the core sends it: media are shown by their length. */
export function WireFrameDetail({ frame, close }: Props) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<{
    readonly frame: LoggedWireFrame;
    readonly well: boolean;
  }>();
  const text = prettyJson(frame.text);
  const copy = (): void => {
    setCopied({ frame, well: copyText(text) });
  };
  const result = copied?.frame === frame ? copied : undefined;
  return (
    <section className="frame-detail" aria-label={t('inspector.detail')}>
      <div className="frame-detail-head">
        <h3 dir="ltr">{frame.name ?? t('inspector.unnamed')}</h3>
        <p role="status">{result && t(result.well ? 'inspector.copied' : 'inspector.notCopied')}</p>
        <IconButton icon={Copy} label={t('inspector.copy')} onClick={copy} />
        <IconButton icon={X} label={t('inspector.closeDetail')} onClick={close} />
      </div>
      <pre tabIndex={0} dir="ltr">
        {text}
      </pre>
    </section>
  );
}
