import { useTranslation } from 'react-i18next';
import { formatBytes } from '../parts/format-bytes.ts';
import { useUiState } from '../store/use-app-context.ts';

/** How much there is; of which kind, and where, for those who look. */
export function HistoryFoot() {
  const { t } = useTranslation();
  const sizes = useUiState(({ history }) => history.sizes);
  const some = sizes.filter(({ count }) => count > 0);
  if (some.length === 0) return null;
  const bytes = some.reduce((sum, each) => sum + each.bytes, 0);
  return (
    <details className="kept-foot">
      <summary>{t('history.allKept', { size: formatBytes(bytes) })}</summary>
      <ul>
        {some.map(({ kind, count, bytes, place }) => (
          <li key={kind}>
            {t('history.kept', {
              kind: t(`history.keptKinds.${kind}`),
              count,
              size: formatBytes(bytes),
            })}
            <code dir="ltr">{place}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
