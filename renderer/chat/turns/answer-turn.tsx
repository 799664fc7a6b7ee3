import { RotateCcw, Trash2 } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  AnswerStats,
  AssistantTurn,
  CallDecision,
  ChatAnswerState as State,
} from '../../../shared/chat/chat-thread.ts';
import { computerId } from '../../../shared/settings/connection-settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, IconButton, passFocusOn } from '../../design/controls.tsx';
import { errorText, modelWaitText, formatClock } from '../../i18n/format.ts';
import { Markdown, useMarkdownActions } from '../../markdown/markdown.tsx';
import { ToolCallView } from './tool-call.tsx';
import { BranchPager, CopyButton, PlayButton, useRemoveTurn } from './turn-tools.tsx';
import './turns.css';

interface AnswerTurnProps {
  readonly turn: AssistantTurn;
  readonly index: number;
}

/** An answer, with the caption cursor while it is read aloud. */
export function AnswerTurn({ turn, index }: AnswerTurnProps) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const { id, text, state } = turn;
  const heard = useUiState(({ chat: { speaking } }) =>
    speaking?.turn === id ? speaking.heard : undefined,
  );
  const last = useUiState(({ chat }) => chat.conversation?.turns.at(-1)?.id === id);
  // Statistics are for users who opened the inspector.
  const isInspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  const removeTurn = useRemoveTurn();
  const streaming = state.kind === 'streaming';
  return (
    <article className="answer" aria-label={t('chat.parley')} aria-busy={streaming}>
      <AnswerText
        turn={turn}
        heard={heard}
        onDecide={(call, decision) => void chat.decideCall(call, decision)}
      />
      <AnswerStatus state={state} empty={isWaitingForModel(turn)} />
      {last && canContinue(turn) && (
        <div className="answer-go-on">
          <Button onClick={() => void chat.continueAnswer(id)}>{t('chat.actions.goOn')}</Button>
        </div>
      )}
      <div ref={passFocusOn} className="turn-tools">
        <PlayButton turn={turn} />
        {text !== '' && !streaming && <CopyButton text={text} />}
        {!streaming && (
          <>
            <IconButton
              icon={RotateCcw}
              label={t('chat.actions.again')}
              onClick={() => void chat.retry(id)}
            />
            <IconButton
              icon={Trash2}
              label={t('buttons.delete')}
              onClick={() => removeTurn(turn)}
            />
          </>
        )}
        <BranchPager index={index} />
        {isInspecting && state.kind === 'done' && turn.stats !== undefined && (
          <AnswerStatsLine stats={turn.stats} />
        )}
      </div>
    </article>
  );
}

function canContinue({ text, state }: AssistantTurn): boolean {
  if (text === '') return false;
  return state.kind === 'done' ? state.cutShort : state.kind !== 'streaming';
}

/** Whether text of the model comes next: the answer is empty, or ends with a tool call that is over. */
export function isWaitingForModel({ text, calls = [] }: AssistantTurn): boolean {
  const last = calls.at(-1);
  if (last?.state === 'asking' || last?.state === 'running') return false;
  return text.length <= (last?.at ?? 0);
}

/** The state of an answer, where the text itself does not show it. */
export function AnswerStatus({ state, empty }: { readonly state: State; readonly empty: boolean }) {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'streaming':
      return empty ? <AnswerPhase /> : null;
    case 'done':
      return state.cutShort ? <p className="answer-state">{t('chat.states.cutShort')}</p> : null;
    case 'stopped':
      return <p className="answer-state">{t('chat.states.stopped')}</p>;
    case 'failed':
      return (
        <p className="answer-state" data-kind="bad" dir="auto">
          {errorText(t, state.error)}
        </p>
      );
  }
}

function AnswerPhase() {
  const { t } = useTranslation();
  const { phase, position, etaSeconds } = useUiState(({ chat }) => chat.connection);
  const wait = useUiState(({ settings, localModel }) =>
    settings?.endpoints.chosen === computerId ? modelWaitText(t, 'chat', localModel) : undefined,
  );
  const text = (): string => {
    // Nobody else is in the queue of the model on this computer.
    if (phase === 'queued' && wait !== undefined) return wait;
    if (phase !== 'queued' || position === undefined) return t(`chat.phases.${phase}`);
    return etaSeconds === undefined
      ? t('chat.phases.place', { position })
      : t('chat.phases.eta', { position, time: formatClock(Math.round(etaSeconds)) });
  };
  return <p className="answer-waiting">{text()}</p>;
}

function AnswerStatsLine({ stats }: { readonly stats: AnswerStats }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  const seconds = (ms: number) => ({ seconds: number.format(ms / 1000) });
  const { firstMs, totalMs, contextTokens } = stats;
  const facts = [
    ...(firstMs === undefined ? [] : [t('chat.facts.first', seconds(firstMs))]),
    t('chat.facts.total', seconds(totalMs)),
    ...(contextTokens === undefined
      ? []
      : [t('chat.facts.context', { tokens: number.format(contextTokens) })]),
  ];
  return <small className="answer-facts">{facts.join(' · ')}</small>;
}

interface AnswerTextProps {
  readonly turn: AssistantTurn;
  /** Characters of the text that have been heard, while it is spoken. */
  readonly heard: number | undefined;
  readonly onDecide: (call: string, decision: CallDecision) => void;
  readonly within?: 'chat' | 'talk';
}

/** The text of an answer, with its tool calls where they were made. */
export function AnswerText({ turn, heard, onDecide, within = 'chat' }: AnswerTextProps) {
  const actions = useMarkdownActions();
  const { text, calls = [] } = turn;
  const last = calls.at(-1)?.at ?? 0;
  return (
    <>
      {calls.map((call, index) => {
        const from = calls[index - 1]?.at ?? 0;
        const before = text.slice(from, call.at);
        return (
          <Fragment key={call.id}>
            {before.trim() !== '' && (
              <Markdown text={before} actions={actions} heard={heardAfter(from, heard)} />
            )}
            <ToolCallView
              call={call}
              onDecide={(decision) => onDecide(call.id, decision)}
              within={within}
            />
          </Fragment>
        );
      })}
      {text.slice(last) !== '' && (
        <Markdown text={text.slice(last)} actions={actions} heard={heardAfter(last, heard)} />
      )}
    </>
  );
}

function heardAfter(from: number, heard: number | undefined): number | undefined {
  return heard === undefined ? undefined : Math.max(0, heard - from);
}
