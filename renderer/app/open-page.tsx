import type { i18n } from 'i18next';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { resolveLanguage } from '../../shared/i18n/languages.ts';
import { connectCaptureController } from '../capture/capture-controller.ts';
import { createI18n } from '../i18n/page-language.ts';
import { type AppContext, AppReactContext, createAppContext } from './app-context.ts';
import { connectBridge } from './bridge/socket-bridge.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { nextFrame, onFrameTick } from './frame-tick.ts';
import { persistPageStyle } from './initial-page-state.ts';
import { applyPageStyle } from './page-style.ts';
import type { UiState } from './ui-state.ts';
import '@fontsource-variable/inter/wght.css';
import '../style/tokens.css';
import '../style/base.css';

interface OpenedPage {
  readonly app: AppContext;
  /** An entry module must not await `show` at its top level, because the modules that it imports lazily would wait too. */
  readonly show: (content: ReactNode) => Promise<void>;
}

/** Applies the style and connects to the core. The content appears once its texts and its font are loaded. */
export function openPage(initialState: Partial<UiState>): OpenedPage {
  const root = document.querySelector('#root');
  if (root === null) throw new Error('The page has no #root element.');
  // Runs before the first paint.
  const pageStyle = persistPageStyle(localStorage);
  applyPageStyle(pageStyle.restored, document.documentElement);
  // The texts load while the rest of the page starts.
  const { language } = pageStyle.restored.appearance;
  const i18nLoaded = createI18n(resolveLanguage(language, navigator.languages));
  // A font that loads after the first paint would shift every line. If it fails, fallback fonts are used.
  const fontLoaded = document.fonts.load('1em "Inter Variable"').catch(() => undefined);
  const bridge = connectBridge();
  const app = createAppContext({
    bridge,
    capture: connectCaptureController(bridge),
    now: () => performance.now(),
    pace: { nextFrame, nextTick: onFrameTick },
    initialState: { pageStyle: pageStyle.restored, ...initialState },
  });
  pageStyle.follow(app.store);
  return {
    app,
    show: async (content) => {
      const [i18nInstance] = await Promise.all([i18nLoaded, fontLoaded]);
      createRoot(root).render(
        <StrictMode>
          <PageFrame app={app} i18nInstance={i18nInstance}>
            {content}
          </PageFrame>
        </StrictMode>,
      );
    },
  };
}

interface FrameProps {
  readonly app: AppContext;
  readonly i18nInstance: i18n;
  readonly children: ReactNode;
}

/** Wraps the content of every window in what it needs: the texts, the app context and an error boundary. */
export function PageFrame({ app, i18nInstance, children }: FrameProps) {
  return (
    <I18nextProvider i18n={i18nInstance}>
      <AppReactContext value={app}>
        <ErrorBoundary>{children}</ErrorBoundary>
      </AppReactContext>
    </I18nextProvider>
  );
}
