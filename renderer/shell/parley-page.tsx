import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { MiniWindow } from '../mini/mini-window.tsx';
import type { AppContext } from '../store/app-context.ts';
import { AppReactContext, useUiState } from '../store/use-app-context.ts';
import { PlaceBoundary } from './recovery/place-boundary.tsx';
import { Shell } from './shell.tsx';

interface Props {
  readonly app: AppContext;
  readonly i18nInstance: i18n;
}

/** The whole page over one app and in one set of words. */
export function ParleyPage({ app, i18nInstance }: Props) {
  return (
    <I18nextProvider i18n={i18nInstance}>
      <AppReactContext value={app}>
        <PlaceBoundary>
          <Content />
        </PlaceBoundary>
      </AppReactContext>
    </I18nextProvider>
  );
}

function Content() {
  return useUiState(({ window }) => window) === 'mini' ? <MiniWindow /> : <Shell />;
}
