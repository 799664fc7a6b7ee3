import { AppWindow, Monitor } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Shareable } from '../../shared/vision/shareable.ts';
import { Button } from '../design/button.tsx';
import { Sheet } from '../design/sheet.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { JpegPicture } from './jpeg-picture.tsx';

/** Screens or windows to pick from, where the system does not ask by itself. */
export function ShareSheet() {
  const { t } = useTranslation();
  const { stopPicking } = useActions();
  const picking = useView(({ seeing }) => seeing.picking);
  const wanted = picking?.wanted ?? 'screen';
  const empty = wanted === 'window' ? 'noWindows' : 'noScreens';
  return (
    <Sheet
      wide={(picking?.list?.length ?? 0) > 2}
      name={t(`talk.eye.pick.${wanted}`)}
      open={picking !== undefined}
      setOpen={stopPicking}
    >
      <div className="share">
        <h2>{t(`talk.eye.pick.${wanted}`)}</h2>
        <p>{t('talk.eye.pick.who')}</p>
        {picking?.list === undefined && <p role="status">{t('talk.eye.pick.looking')}</p>}
        {picking?.list?.length === 0 && <p role="status">{t(`talk.eye.pick.${empty}`)}</p>}
        <ul>
          {picking?.list?.map((one) => (
            <li key={one.id}>
              <ShareChoice one={one} />
            </li>
          ))}
        </ul>
        <div className="crop-buttons">
          <Button onClick={stopPicking}>{t('talk.cancel')}</Button>
        </div>
      </div>
    </Sheet>
  );
}

function ShareChoice({ one: { id, kind, name, thumbnail } }: { readonly one: Shareable }) {
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
      <span className="share-name" dir="auto">
        {name}
      </span>
    </button>
  );
}
