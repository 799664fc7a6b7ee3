import { Crop, SlidersHorizontal, Snowflake } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { Panel } from '../design/panel.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { EyeOptions } from './eye-options.tsx';
import { LivePicture } from './live-picture.tsx';
import { SeenFacts, SeenFrame } from './seen-frame.tsx';
import { SourceMenu } from './source-menu.tsx';

/** What is shown to the model: the live picture, mirrored as people know themselves, or what it saw. */
export function CameraTile() {
  const { t } = useTranslation();
  const eye = useView(({ eye }) => eye);
  const frozen = useView(({ frozen }) => frozen);
  const source = useView(({ seeing }) => seeing.source.kind);
  const [seen, setSeen] = useState(false);
  if (eye.state === 'off') return null;
  const camera = source === 'camera';
  return (
    <section className="eye" aria-label={t(camera ? 'talk.eye.name' : 'talk.eye.shared')}>
      <div className="eye-picture">
        {seen && <SeenFrame />}
        {!seen && eye.state === 'open' && <LivePicture stream={eye.stream} />}
        {!seen && eye.state === 'opening' && <p>{t('talk.eye.opening')}</p>}
        {!seen && eye.state === 'lost' && (
          <p role="alert">{t(`talk.eye.${camera ? 'lost' : 'lostScreen'}.${eye.reason}`)}</p>
        )}
      </div>
      <div className="eye-controls">
        <Sides seen={seen} setSeen={setSeen} />
        <Tools />
      </div>
      {seen && <SeenFacts />}
      {frozen && <p className="eye-note">{t('talk.eye.frozen')}</p>}
    </section>
  );
}

interface SidesProps {
  readonly seen: boolean;
  readonly setSeen: (seen: boolean) => void;
}

function Sides({ seen, setSeen }: SidesProps) {
  const { t } = useTranslation();
  return (
    <div className="eye-sides">
      {[false, true].map((side) => (
        <button
          key={String(side)}
          type="button"
          aria-pressed={side === seen}
          onClick={() => {
            setSeen(side);
          }}
        >
          {t(side ? 'talk.eye.seen' : 'talk.eye.live')}
        </button>
      ))}
    </div>
  );
}

function Tools() {
  const { t } = useTranslation();
  const { setFrozen, beginCropping } = useActions();
  const frozen = useView(({ frozen }) => frozen);
  const open = useView(({ eye }) => eye.state === 'open');
  return (
    <div className="eye-tools">
      <SourceMenu />
      <IconButton
        icon={Crop}
        label={t('talk.eye.choosePart')}
        disabled={!open}
        onClick={beginCropping}
      />
      <IconButton
        icon={Snowflake}
        label={t(frozen ? 'talk.eye.unfreeze' : 'talk.eye.freeze')}
        data-held={frozen}
        onClick={() => {
          setFrozen(!frozen);
        }}
      />
      <Panel
        name={t('talk.eye.options')}
        trigger={
          <button type="button" className="icon-button" aria-label={t('talk.eye.options')}>
            <SlidersHorizontal strokeWidth={1.75} aria-hidden />
          </button>
        }
      >
        <EyeOptions />
      </Panel>
    </div>
  );
}
