import { AppWindow, Monitor } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { CaptureSource } from '../../../shared/vision/vision-options.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { Sheet } from '../../design/sheet.tsx';
import { JpegPicture } from './capture-picture.tsx';

/** Lists the screens or windows to share, where the system shows no picker. */
export function ShareSheet() {
  const { t } = useTranslation();
  const { stopPicking } = useActions();
  const picking = useUiState(({ visionUi }) => visionUi.picking);
  const kind = picking?.kind ?? 'screen';
  const empty = kind === 'window' ? 'noWindows' : 'noScreens';
  return (
    <Sheet
      wide={(picking?.list?.length ?? 0) > 2}
      name={t(`talk.capture.pick.${kind}`)}
      open={picking !== undefined}
      onOpenChange={stopPicking}
    >
      <div className="sheet-page">
        <div className="sheet-body share">
          <h2>{t(`talk.capture.pick.${kind}`)}</h2>
          <p>{t('talk.capture.pick.who')}</p>
          {picking?.list === undefined && <p role="status">{t('talk.capture.pick.looking')}</p>}
          {picking?.list?.length === 0 && <p role="status">{t(`talk.capture.pick.${empty}`)}</p>}
          <ul>
            {picking?.list?.map((source) => (
              <li key={source.id}>
                <ShareChoice source={source} />
              </li>
            ))}
          </ul>
        </div>
        <footer className="sheet-foot">
          <Button onClick={stopPicking}>{t('buttons.cancel')}</Button>
        </footer>
      </div>
    </Sheet>
  );
}

function ShareChoice({
  source: { id, kind, name, thumbnail },
}: {
  readonly source: CaptureSource;
}) {
  const { share } = useActions();
  const Icon = kind === 'window' ? AppWindow : Monitor;
  return (
    <button type="button" className="share-choice" onClick={() => void share(id)}>
      <span className="share-picture">
        {thumbnail === undefined ? (
          <Icon strokeWidth={1.25} aria-hidden />
        ) : (
          <JpegPicture jpeg={thumbnail} alt="" />
        )}
      </span>
      <span className="one-line" dir="auto">
        {name}
      </span>
    </button>
  );
}
