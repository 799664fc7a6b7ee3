import { type CursorAction, isBuiltInAction } from '../../shared/cursor/cursor-action.ts';
import { type CoreMessages, fillMessage } from '../../shared/i18n/messages.ts';

/** The prompt of an action, with the user's two languages. */
export function actionPrompt(
  { id, prompt }: CursorAction,
  prompts: CoreMessages['cursor'],
  languages: { readonly firstLanguage: string; readonly secondLanguage: string },
): string {
  const { firstLanguage: first, secondLanguage: second } = languages;
  const text = prompt === '' && isBuiltInAction(id) ? prompts.actions[id] : prompt;
  return fillMessage(text, { first, second });
}
