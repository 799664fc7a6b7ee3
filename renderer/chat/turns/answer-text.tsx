import { Fragment } from 'react';
import type { AssistantTurn, CallDecision } from '../../../shared/chat/chat-thread.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { useMarkdownActions } from '../../markdown/use-markdown-actions.ts';
import { ToolCallView } from './tool-call.tsx';

interface Props {
  readonly turn: AssistantTurn;
  /** Characters of the text that have been heard, while it is spoken. */
  readonly heard: number | undefined;
  readonly onDecide: (call: string, decision: CallDecision) => void;
  readonly within?: 'chat' | 'talk';
}

/** The text of an answer, with its tool calls where they were made. */
export function AnswerText({ turn, heard, onDecide, within = 'chat' }: Props) {
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
