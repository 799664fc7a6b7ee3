import { Wrench } from 'lucide-react';
import { type MouseEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallDecision, ToolCall } from '../../../shared/chat/chat-thread.ts';
import { showHidden } from '../../../shared/text.ts';
import type { ToolRef } from '../../../shared/tools/tools-view.ts';
import { Button, passFocusOn } from '../../design/controls.tsx';
import { errorText } from '../../i18n/format.ts';
import './tool-call.css';

interface Props {
  readonly call: ToolCall;
  readonly onDecide: (decision: CallDecision) => void;
  /** Where the decision "allow" applies: in this chat, which is the default, or in this talk. */
  readonly within?: 'chat' | 'talk';
}

/** A tool call: the question while it waits for the user, and collapsible details afterwards. */
export function ToolCallView({ call, onDecide, within = 'chat' }: Props) {
  return call.state === 'asking' ? (
    <CallQuestion call={call} onDecide={onDecide} within={within} />
  ) : (
    <CallDetails call={call} />
  );
}

/** Parley's tools have names in every language; those of a server keep theirs. */
export function useToolName(): (ref: ToolRef) => string {
  const { t } = useTranslation();
  return ({ server, tool }) =>
    server === '' ? translated(t('tools.names', { returnObjects: true }), tool) : tool;
}

function translated(names: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
}

/** A click this soon after the question appeared was meant for something else. This soon after a decision, it is the second click of a double click. */
const ignoreClicksMs = 800;

function CallQuestion({ call, onDecide, within }: Required<Props>) {
  const { t } = useTranslation();
  const nameOf = useToolName();
  const id = useId();
  const [since, setSince] = useState(() => performance.now());
  const { server, isRisky } = call;
  const decideOnClick =
    (decision: CallDecision) =>
    ({ timeStamp }: MouseEvent): void => {
      if (timeStamp - since < ignoreClicksMs) return;
      setSince(timeStamp);
      onDecide(decision);
    };
  return (
    <section ref={passFocusOn} className="tool-call tool-question" aria-labelledby={id}>
      <p id={id} className="tool-question-title" dir="auto" role="alert">
        {server === ''
          ? t('tools.ask', { tool: nameOf(call) })
          : t('tools.askOf', { tool: nameOf(call), server })}
      </p>
      <CallArguments call={call} />
      {isRisky && <p className="hint">{t('tools.risky')}</p>}
      <div className="tool-decisions button-row">
        <Button onClick={decideOnClick('once')}>{t('tools.once')}</Button>
        {!isRisky && <Button onClick={decideOnClick('chat')}>{t(`tools.${within}`)}</Button>}
        {!isRisky && <Button onClick={decideOnClick('always')}>{t('tools.always')}</Button>}
        <Button kind="quiet" onClick={decideOnClick('deny')}>
          {t('tools.deny')}
        </Button>
      </div>
    </section>
  );
}

/** Another program may have written the response, so it is plain text: no links, no pictures. */
function CallDetails({ call }: Pick<Props, 'call'>) {
  const { t } = useTranslation();
  const nameOf = useToolName();
  const { server, state } = call;
  const name = nameOf(call);
  const text = call.error === undefined ? call.response : errorText(t, call.error);
  return (
    <details className="tool-call" data-state={state}>
      <summary>
        <Wrench aria-hidden />
        <span className="one-line" dir="auto">
          {server === '' ? name : `${name} · ${server}`}
        </span>
        <span className="tool-state">{t(`tools.states.${state}`)}</span>
      </summary>
      <h4>{t('tools.sent')}</h4>
      <CallArguments call={call} />
      {(state === 'done' || state === 'failed') && (
        <>
          <h4>{t('tools.got')}</h4>
          <pre className="tool-response scroll-area" dir="auto" tabIndex={0}>
            {text === '' ? t('tools.nothing') : text}
          </pre>
        </>
      )}
    </details>
  );
}

/** The arguments by name, as the tool gets them. The model may have hidden characters in them. */
function CallArguments({ call: { args, server } }: Pick<Props, 'call'>) {
  const { t } = useTranslation();
  const values = argumentsOf(args);
  const details = server === '' ? t('tools.details', { returnObjects: true }) : {};
  if (values.length === 0) return <p className="hint">{t('tools.noArguments')}</p>;
  return (
    // Long arguments scroll, so that the buttons stay in sight. The keyboard can scroll only what has the focus.
    <dl className="tool-arguments scroll-area" tabIndex={0}>
      {values.map(([name, value]) => (
        <div key={name}>
          <dt dir="auto">{translated(details, showHidden(name))}</dt>
          <dd dir="auto">{showHidden(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function argumentsOf(args: string): readonly (readonly [string, string])[] {
  // The core serialized it from an object.
  const values = JSON.parse(args) as Readonly<Record<string, unknown>>;
  return Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
}
