import {
  CircleHelp,
  Languages,
  Lightbulb,
  ListChecks,
  type LucideIcon,
  MessageCircleQuestion,
  PenLine,
  Reply,
  Scissors,
  SpellCheck,
  Star,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  actionName,
  type ActionIcon,
  type CursorAction,
} from '../../shared/cursor/cursor-action.ts';

const icons: Readonly<Record<ActionIcon, LucideIcon>> = {
  explain: Lightbulb,
  translate: Languages,
  shorten: Scissors,
  correct: SpellCheck,
  reply: Reply,
  write: PenLine,
  list: ListChecks,
  ask: MessageCircleQuestion,
  check: CircleHelp,
  star: Star,
};

export function actionIconOf({ icon }: Pick<CursorAction, 'icon'>): LucideIcon {
  return icons[icon];
}

/** The user's name of an action, else the built-in one. */
export function useActionName(): (action: Pick<CursorAction, 'id' | 'name'>) => string {
  const { t } = useTranslation();
  return (action) => actionName(action, t('cursor.names', { returnObjects: true }));
}
