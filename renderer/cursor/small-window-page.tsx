import {
  Crop,
  type LucideIcon,
  MessageSquare,
  Monitor,
  Square,
  Volume2,
  VolumeX,
  X,
} from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { lazy, type MouseEvent, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { AssistantTurn } from '../../shared/chat/chat-thread.ts';
import { closedQuick, type OfferKind } from '../../shared/cursor/quick-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { ErrorBoundary } from '../app/error-boundary.tsx';
import { useAppearance } from '../app/use-appearance.ts';
import { Button, IconButton, isComposing } from '../design/controls.tsx';
import { errorText, joinSentences } from '../i18n/format.ts';
import { useWindowKeydown } from '../keys/window-keys.ts';
import { TalkStrip } from '../talk/talk-strip.tsx';
import { actionIconOf, useActionName } from './action-icons.ts';
import { DictationCard, RetryDictation, WaitTools } from './dictation-card.tsx';
import { QuickField } from './quick-field.tsx';
import './cursor.css';

/** Loaded with the first answer, because showing Markdown needs much code. */
const QuickTurns = lazy(async () => ({
  default: (await import('./quick-turns.tsx')).QuickTurns,
}));

/** These keys have the same names in every language. */
const keyNames = { insert: 'Alt + Enter', chat: 'Ctrl + Enter', close: 'Esc' } as const;

/** The small window over other programs: a question with its answer, or a dictation. */
export function SmallWindowPage() {
  const surface = useUiState(({ quick }) => quick.surface);
  const { t } = useTranslation();
  const { quick } = useActions();
  const hasState = useUiState(({ quick }) => quick !== closedQuick);
  useAppearance(t(surface === 'dictate' ? 'cursor.dictation.title' : 'cursor.title'));
  useSmallWindowKeys();
  // Effects of the children run before this one, so the field already has the focus.
  useEffect(() => {
    if (hasState) void quick.ready();
  }, [quick, hasState]);
  return (
    <Tooltip.Provider delayDuration={400}>
      <ErrorBoundary>{surface === 'dictate' ? <DictationCard /> : <QuickAsk />}</ErrorBoundary>
    </Tooltip.Provider>
  );
}

/** Escape and Ctrl+W close, Ctrl+Enter continues in Chat, Alt+Enter inserts the answer into the other program. */
function useSmallWindowKeys(): void {
  const { quick } = useActions();
  const answer = useNewestAnswer();
  useWindowKeydown((event) => {
    const hasCommandKey = event.ctrlKey || event.metaKey;
    const run = keyAction();
    if (run === undefined || event.repeat || isComposing(event)) return;
    event.preventDefault();
    void run();

    function keyAction(): (() => Promise<unknown>) | undefined {
      if (event.key === 'Escape' || (hasCommandKey && event.key.toLowerCase() === 'w'))
        return quick.close;
      if (event.key !== 'Enter' || answer === undefined) return undefined;
      if (hasCommandKey) return quick.continueInChat;
      return event.altKey && isComplete(answer) ? () => quick.insert(answer.id) : undefined;
    }
  });
}

function useNewestAnswer(): AssistantTurn | undefined {
  return useUiState(({ chat }) => {
    const turn = chat.conversation?.turns.at(-1);
    return turn?.role === 'assistant' ? turn : undefined;
  });
}

function isComplete({ text, state }: AssistantTurn): boolean {
  return text !== '' && state.kind !== 'streaming';
}

function QuickAsk() {
  const { t } = useTranslation();
  const { quick } = useActions();
  const hasTurns = useUiState(({ chat }) => (chat.conversation?.turns.length ?? 0) > 0);
  return (
    <main className="cursor" aria-label={t('cursor.title')}>
      <h1 className="visually-hidden">{t('cursor.title')}</h1>
      <div className="cursor-head">
        <QuickField hasTurns={hasTurns} />
        <IconButton
          icon={X}
          label={t('buttons.close')}
          hint={keyNames.close}
          onClick={() => void quick.close()}
        />
      </div>
      <Offers />
      <ActionRow />
      <Problem />
      <RetryDictation />
      {hasTurns && (
        <Suspense fallback={null}>
          <QuickTurns />
        </Suspense>
      )}
      {hasTurns ? <AnswerTools /> : <p className="cursor-keys hint">{t('cursor.keys')}</p>}
      <TalkStrip />
    </main>
  );
}

/** Leaves the focus in the field, so that the user can type on after a click on a chip. */
const keepFocus = (event: MouseEvent): void => event.preventDefault();

/** The texts and pictures that can go along with the question. The pressed chips are sent. */
function Offers() {
  const { t } = useTranslation();
  const { quick } = useActions();
  const offers = useUiState(({ quick }) => quick.offers);
  const has = (wanted: OfferKind): boolean => offers.some(({ kind }) => kind === wanted);
  return (
    <ul className="cursor-chips" aria-label={t('cursor.offers')}>
      {offers.map((offer) => (
        <li key={offer.kind}>
          <button
            type="button"
            className="cursor-chip"
            aria-pressed={offer.included}
            onMouseDown={keepFocus}
            onClick={() => void quick.include(offer.kind, !offer.included)}
          >
            <span className="cursor-pill hint">
              <span className="cursor-chip-name">{t(`cursor.offer.${offer.kind}`)}</span>
              <span className="cursor-chip-text one-line" dir="auto">
                {offer.excerpt === '' ? t('cursor.picture') : offer.excerpt}
              </span>
              {offer.kind !== 'window' && offer.characters > 0 && (
                <span className="cursor-chip-more">
                  {t('cursor.letters', { count: offer.characters })}
                  {offer.cut && ` · ${t('cursor.cut')}`}
                </span>
              )}
            </span>
          </button>
        </li>
      ))}
      {!has('screen') && (
        <CaptureChip
          icon={Monitor}
          label={t('cursor.takeScreen')}
          onCapture={() => void quick.captureScreen()}
        />
      )}
      {!has('region') && (
        <CaptureChip
          icon={Crop}
          label={t('cursor.takeRegion')}
          onCapture={() => void quick.captureRegion()}
        />
      )}
    </ul>
  );
}

interface CaptureChipProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onCapture: () => void;
}

/** Takes a picture and offers it. */
function CaptureChip({ icon: Icon, label, onCapture }: CaptureChipProps) {
  return (
    <li>
      <button type="button" className="cursor-chip" onMouseDown={keepFocus} onClick={onCapture}>
        <span className="cursor-pill hint">
          <Icon aria-hidden />
          {label}
        </span>
      </button>
    </li>
  );
}

const textKinds: ReadonlySet<OfferKind> = new Set(['selection', 'clipboard']);

/** Actions need a text: the selection, the clipboard, or the conversation so far. */
function ActionRow() {
  const { t } = useTranslation();
  const { quick } = useActions();
  const nameOf = useActionName();
  const actions = useUiState(({ settings }) => settings?.cursor.actions);
  const hasText = useUiState(
    ({ quick, chat }) =>
      (chat.conversation?.turns.length ?? 0) > 0 ||
      quick.offers.some(({ kind, characters }) => textKinds.has(kind) && characters > 0),
  );
  if (actions === undefined || !hasText) return null;
  return (
    <div className="cursor-actions" role="group" aria-label={t('cursor.actions')}>
      {actions.map((action) => {
        const Icon = actionIconOf(action);
        return (
          <Button
            key={action.id}
            kind="quiet"
            icon={<Icon aria-hidden />}
            onClick={() => void quick.runAction(action.id)}
          >
            {nameOf(action)}
          </Button>
        );
      })}
    </div>
  );
}

function Problem() {
  const { t } = useTranslation();
  const { dismissProblem } = useActions();
  const quickError = useUiState(({ quick }) => quick.error);
  const problem = useUiState(({ problem }) => problem);
  const use = useUiState(({ quick }) => quick.use);
  const dictation = useUiState(({ quick }) => quick.dictation.state);
  const dictationError = dictation.kind === 'failed' ? dictation.error : undefined;
  const error =
    use.kind === 'copiedInstead' ? use.error : (problem ?? quickError ?? dictationError);
  if (error === undefined) return null;
  return (
    <div className="cursor-problem" role="alert">
      <p dir="auto">
        {joinSentences(
          t,
          errorText(t, error),
          use.kind === 'copiedInstead' ? t('cursor.copiedInstead') : undefined,
        )}
      </p>
      {problem !== undefined && (
        <IconButton icon={X} label={t('shell.dismiss')} onClick={dismissProblem} />
      )}
    </div>
  );
}

function AnswerTools() {
  const { t } = useTranslation();
  const { quick, changeSettings } = useActions();
  const answer = useNewestAnswer();
  const { target, canInsert, use, wait } = useUiState(({ quick }) => quick);
  const speaks = useUiState(({ settings }) => settings?.cursor.speakAnswers === true);
  const isPlaying = useUiState(({ chat }) => chat.speaking !== undefined);
  if (answer === undefined) return null;
  const { id } = answer;
  return (
    <div className="cursor-tools">
      <WaitTools of="answer" wait={wait} />
      {answer.state.kind === 'streaming' && wait !== 'waiting' && (
        <Button icon={<Square aria-hidden />} onClick={() => void quick.stop()}>
          {t('buttons.stop')}
        </Button>
      )}
      {isComplete(answer) && (
        <>
          {canInsert && (
            <Button kind="strong" title={keyNames.insert} onClick={() => void quick.insert(id)}>
              <span className="one-line" dir="auto">
                {t(insertLabel(), { target })}
              </span>
            </Button>
          )}
          <Button onClick={() => void quick.copy(id)}>
            {t(use.kind === 'copied' ? 'cursor.copied' : 'buttons.copy')}
          </Button>
        </>
      )}
      {answer.state.kind === 'failed' && wait !== 'waiting' && (
        <Button onClick={() => void quick.retry(id)}>{t('chat.actions.again')}</Button>
      )}
      <span className="cursor-tools-end">
        <IconButton
          icon={isPlaying ? Square : speaks ? Volume2 : VolumeX}
          label={t(speechLabel())}
          aria-pressed={isPlaying ? undefined : speaks}
          onClick={() =>
            void (isPlaying
              ? quick.silence()
              : changeSettings({ cursor: { speakAnswers: !speaks } }))
          }
        />
        <IconButton
          icon={MessageSquare}
          label={t('cursor.chat')}
          hint={keyNames.chat}
          onClick={() => void quick.continueInChat()}
        />
      </span>
    </div>
  );

  function insertLabel() {
    if (use.kind === 'inserting') return 'cursor.inserting';
    return target === '' ? 'cursor.insertPlain' : 'cursor.insert';
  }

  function speechLabel() {
    if (isPlaying) return 'chat.actions.silence';
    return speaks ? 'cursor.speakOn' : 'cursor.speakOff';
  }
}
