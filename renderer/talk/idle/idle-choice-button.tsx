import { ChevronDown } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: LucideIcon;
  /** What it is a choice of, for those who listen. */
  readonly what: string;
  /** What is chosen. */
  readonly chosen: string;
}

/** Says what is chosen, and opens what there is to choose from. */
export function IdleChoiceButton({ icon: Icon, what, chosen, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="idle-choice"
      aria-label={t('shell.under', { what, which: chosen })}
      {...rest}
    >
      <Icon strokeWidth={1.75} aria-hidden />
      <span className="idle-chosen" dir="auto">
        {chosen}
      </span>
      <ChevronDown strokeWidth={1.75} aria-hidden />
    </button>
  );
}
