import { Check, ChevronLeft, ChevronRight, Copy, Square, Volume2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AssistantTurn, ChatBranch, Turn } from '../../../shared/chat/chat-thread.ts';
import { useActions, useAppContext, useUiState } from '../../app/app-context.ts';
import { IconButton } from '../../design/controls.tsx';
import { copyText, useCopied } from '../../design/copy-text.ts';
import { afterTurnRemoval } from '../chat-actions.ts';

/** Switches between the versions of a message or an answer that was edited or regenerated. */
export function BranchPager({ index }: { readonly index: number }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const branches = useUiState(({ chat }) => chat.conversation?.branches);
  const before = useUiState(({ chat }) => chat.conversation?.turns[index - 1]?.id);
  const first = useUiState(({ chat }) => chat.conversation?.turns[index]);
  const { versions, currentIndex } = branchVersions({ branches: branches ?? [], before, first });
  if (versions.length < (currentIndex === -1 ? 1 : 2)) return null;
  const step = (by: 1 | -1) => (): void => {
    const branch = versions[currentIndex + by];
    if (branch !== undefined) void chat.chooseBranch(branch);
  };
  return (
    <div className="branch-pager" role="group" aria-label={t('chat.actions.versions')}>
      {currentIndex === -1 ? (
        <span>{t('chat.actions.others')}</span>
      ) : (
        <>
          <IconButton
            icon={ChevronLeft}
            label={t('chat.actions.earlier')}
            aria-disabled={currentIndex <= 0}
            onClick={step(-1)}
          />
          <span>
            {t('chat.actions.version', { at: currentIndex + 1, versions: versions.length })}
          </span>
        </>
      )}
      <IconButton
        icon={ChevronRight}
        label={t('chat.actions.later')}
        aria-disabled={currentIndex >= versions.length - 1}
        onClick={step(1)}
      />
    </div>
  );
}

interface BranchPoint {
  readonly branches: readonly ChatBranch[];
  /** The last turn that the versions share; undefined if they differ from the first turn on. */
  readonly before: string | undefined;
  readonly first: Turn | undefined;
}

interface Versions {
  /** Branch ids in order of creation; undefined is the version on the screen. */
  readonly versions: readonly (string | undefined)[];
  /** The index of the version on the screen; -1 if none is. */
  readonly currentIndex: number;
}

/** Ordered by time, because choosing a version reorders the stored branches. */
export function branchVersions({ branches, before, first }: BranchPoint): Versions {
  const others = branches
    .filter(({ after }) => after === before)
    .map(({ id, turns }) => ({ id, at: turns[0]?.at ?? 0 }));
  const shown = first === undefined ? [] : [{ id: undefined, at: first.at }];
  const versions = [...others, ...shown].toSorted((a, b) => a.at - b.at).map(({ id }) => id);
  return { versions, currentIndex: versions.indexOf(undefined) };
}

export function CopyButton({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const { copied, setCopied } = useCopied();
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={t(copied ? 'chat.actions.copied' : 'buttons.copy')}
      onClick={() => {
        if (copyText(text)) setCopied();
        else chat.note({ kind: 'notCopied' });
      }}
    />
  );
}

export function PlayButton({ turn }: { readonly turn: AssistantTurn }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const isPlaying = useUiState(({ chat }) => chat.speaking?.turn === turn.id);
  if (isPlaying)
    return (
      <IconButton
        icon={Square}
        label={t('chat.actions.silence')}
        data-held
        onClick={() => void chat.silence()}
      />
    );
  if (turn.speechSeconds === 0 || turn.state.kind === 'streaming') return null;
  return (
    <IconButton
      icon={Volume2}
      label={t('chat.actions.play')}
      onClick={() => void chat.play(turn.id)}
    />
  );
}

/** Removes a message, or a question with its answer; the user can undo it for a while. */
export function useRemoveTurn(): (turn: Turn) => void {
  const { t } = useTranslation();
  const { chat, removal } = useActions();
  const { store } = useAppContext();
  return ({ id, role }) => {
    const { conversation, speaking } = store.getState().chat;
    if (conversation === undefined) return;
    const { id: chatId, turns } = conversation;
    const next = turns[turns.findIndex((turn) => turn.id === id) + 1];
    const answer = role === 'user' && next?.role === 'assistant' ? next : undefined;
    const keys = [id, ...(answer === undefined ? [] : [answer.id])];
    if (answer?.state.kind === 'streaming') void chat.stop();
    if (speaking !== undefined && keys.includes(speaking.turn)) void chat.silence();
    removal.remove({
      keys: keys.map((key) => `turn ${key}`),
      message: t('shell.undo.message'),
      remove: () => chat.removeTurn(chatId, id),
      completeBefore: afterTurnRemoval,
    });
  };
}
