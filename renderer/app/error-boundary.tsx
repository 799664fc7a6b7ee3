import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, passFocusToScreen } from '../design/controls.tsx';
import { copyText } from '../design/copy-text.ts';
import { diagnosticsText } from '../settings/about/diagnostics-text.ts';
import { useAppContext } from './app-context.ts';
import './error-boundary.css';

interface State {
  readonly fault: { readonly error: unknown } | undefined;
}

/** Shows a message in place of a part that throws. React requires a class for this. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { fault: undefined };

  override componentDidCatch(error: unknown): void {
    this.setState({ fault: { error } });
  }

  readonly #retry = (): void => this.setState({ fault: undefined });

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return <ErrorFallback error={fault.error} onRetry={this.#retry} />;
  }
}

function ErrorFallback({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const [copied, setCopied] = useState<boolean>();
  const copy = (): void =>
    setCopied(copyText(`${diagnosticsText(store.getState())}\nfault: ${stackText(error)}`));
  return (
    <section className="error-fallback" role="alert">
      <p>{t('shell.broken.text')}</p>
      <div className="button-row">
        <Button kind="strong" onClick={onRetry}>
          {t('shell.broken.again')}
        </Button>
        <Button onClick={copy}>{t('settings.rows.about.diagnostics.name')}</Button>
      </div>
      {copied !== undefined && (
        <p className="hint">{t(copied ? 'settings.about.copied' : 'shell.broken.copyFailed')}</p>
      )}
    </section>
  );
}

/** Name and stack only, because the message may quote user content. */
function stackText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, 12)].join('\n');
}

/** A screen that is loaded on first use; until then it is empty. */
export function LazyScreen({ load }: { readonly load: () => Promise<ComponentType> }) {
  const [loaded, setLoaded] = useState<{ readonly Screen: ComponentType }>();
  const [loadError, setLoadError] = useState<{ readonly error: unknown }>();
  useEffect(() => {
    let isUnmounted = false;
    const show = async (): Promise<void> => {
      const Screen = await load();
      if (!isUnmounted) setLoaded({ Screen });
    };
    show().catch((error: unknown) => {
      if (!isUnmounted) setLoadError({ error });
    });
    return () => {
      isUnmounted = true;
    };
  }, [load]);
  // Thrown during rendering, so that the boundary catches it.
  if (loadError !== undefined) throw loadError.error;
  return loaded === undefined ? (
    <main ref={passFocusToScreen} aria-busy="true" />
  ) : (
    <loaded.Screen />
  );
}
