import { useTranslation } from 'react-i18next';
import { sayWhy } from '../parts/say-reason.ts';
import { useView } from '../store/use-desk.ts';

/** What is wrong with something that has a place of its own on the page, in the page's language. */
export function useProblem(field: string): string | undefined {
  const { t } = useTranslation();
  const problem = useView(({ room }) => room.fields[field]?.problem);
  return problem && sayWhy(t, problem.why, problem.sentence);
}
