import { useTranslation } from 'react-i18next';
import { errorText } from '../../parts/error-text.ts';
import { useUiState } from '../../store/use-app-context.ts';

/** What is wrong with something that has a place of its own on the page, in the page's language. */
export function useFieldProblem(field: string): string | undefined {
  const { t } = useTranslation();
  const problem = useUiState(({ settingsUi }) => settingsUi.fields[field]?.problem);
  return typeof problem === 'object' ? errorText(t, problem) : problem;
}
