import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../design/icon-button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { branchVersions } from './branch-versions.ts';

/** Where a message or an answer was made anew: the versions there are, one after the other. */
export function BranchPager({ index }: { readonly index: number }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const branches = useUiState(({ chat }) => chat.conversation?.branches);
  const before = useUiState(({ chat }) => chat.conversation?.turns[index - 1]?.id);
  const first = useUiState(({ chat }) => chat.conversation?.turns[index]);
  if (branches === undefined || branches.length === 0) return null;
  const { versions, at } = branchVersions({ branches, before, first });
  if (versions.length < 2 && at !== -1) return null;
  const step = (by: 1 | -1) => (): void => {
    const branch = versions[at + by];
    if (branch !== undefined) void chat.chooseBranch(branch);
  };
  if (versions.length === 0) return null;
  return (
    <div className="branch-pager" role="group" aria-label={t('chat.actions.versions')}>
      {at === -1 && <span>{t('chat.actions.others')}</span>}
      {at !== -1 && (
        <IconButton
          icon={ChevronLeft}
          label={t('chat.actions.earlier')}
          aria-disabled={at <= 0}
          onClick={step(-1)}
        />
      )}
      {at !== -1 && (
        <span>{t('chat.actions.version', { at: at + 1, versions: versions.length })}</span>
      )}
      <IconButton
        icon={ChevronRight}
        label={t('chat.actions.later')}
        aria-disabled={at >= versions.length - 1}
        onClick={step(1)}
      />
    </div>
  );
}
