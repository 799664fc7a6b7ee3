import { Download, GitCompareArrows, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { OpenedTalkRecord } from '../../shared/recordings/talk-record.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button } from '../design/button.tsx';
import { errorText, formatBytes } from '../i18n/error-text.ts';
import { serverName } from '../i18n/server-name.ts';
import { dayAndTime, hourAndMinute, lengthText } from '../i18n/time-text.ts';
import { isTextless, talkTitle } from './history-text.ts';

interface Props {
  readonly talk: OpenedTalkRecord;
}

/** When it was, how long, with which server and how it ended; and the ways on from here. */
export function TalkPageFacts({ talk }: Props) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { record, bytes } = talk;
  const { begunAt, savedAt, mode, server } = record;
  const name = serverName(t, server.name);
  const shown = server.address === undefined ? name : `${name} (${server.address})`;
  return (
    <div className="kept-facts">
      <ul>
        <li>{dayAndTime(begunAt, language)}</li>
        <li>{lengthText(Math.max(0, savedAt - begunAt) / 1000, language)}</li>
        <li>{t(`talk.modes.${mode}`)}</li>
        <li dir="auto">{t('history.talk.server', { server: shown })}</li>
        {/* Where that is, is said by the menu's way to its folder. */}
        <li>{t('history.talk.kept', { size: formatBytes(bytes) })}</li>
      </ul>
      <Ending talk={talk} />
      <WaysOn talk={talk} />
      <TapeWordsLine talk={talk} />
    </div>
  );
}

function Ending({ talk }: Props) {
  const { record, goesOn } = talk;
  const { t, i18n } = useTranslation();
  const { ending, savedAt } = record;
  // Why it ended is heard in its replay.
  if (isTextless(talk) && record.ending !== undefined) return null;
  if (goesOn) return <p>{t('history.talk.goesOn')}</p>;
  if (ending === undefined)
    return <p>{t('history.talk.cut', { time: hourAndMinute(savedAt, i18n.language) })}</p>;
  return (
    <p dir="auto">
      {ending.by === 'client' ? t('history.talk.ended') : errorText(t, ending.error)}
    </p>
  );
}

function WaysOn({ talk }: Props) {
  const { id, tape, goesOn } = talk;
  const { t } = useTranslation();
  const { replay, comparing, exporting, go, goOn } = useActions();
  const phase = useUiState(({ talkState }) => talkState.value.phase);
  // Only the last talk can be gone on with: its words are still known to the core.
  const last = useUiState(({ keeping: { talk } }) => talk.kind === 'kept' && talk.id === id);
  const title = talkTitle(t, talk);
  const goesOnFrom = last && phase === 'ended';
  return (
    <div className="kept-ways">
      {goesOn && (
        <Button
          kind="strong"
          onClick={() => {
            go('talk');
          }}
        >
          {t('history.talk.toTalk')}
        </Button>
      )}
      {tape && !goesOn && (
        <Button
          kind="strong"
          icon={<Play aria-hidden />}
          onClick={() => void replay.open({ kind: 'tape', tape: id })}
        >
          {t('history.talk.replay')}
        </Button>
      )}
      {tape && !goesOn && (
        <Button
          icon={<GitCompareArrows aria-hidden />}
          onClick={() => void comparing.open(id, title)}
        >
          {t('compare.action')}
        </Button>
      )}
      {!goesOn && (
        <Button
          icon={<Download aria-hidden />}
          onClick={() => void exporting.open({ kind: 'talk', id }, title)}
        >
          {t('export.action')}
        </Button>
      )}
      {goesOnFrom && (
        <Button
          onClick={() => {
            go('talk');
            void goOn('transcript');
          }}
        >
          {t('history.talk.goOn')}
        </Button>
      )}
    </div>
  );
}

/** Where half of a talk is missing and its tape is kept: to have written down what the person said, and how far that is. */
function TapeWordsLine({ talk: { id, record, tape, goesOn, words } }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const spoken = record.turns.some(({ by }) => by === 'person');
  // What the talk itself has to be written down comes without being asked for.
  const comes = useUiState(
    ({ keeping: { talk }, ownWords }) =>
      talk.kind === 'kept' && talk.id === id && ownWords.phrases.length > 0,
  );
  if (words?.goesOn === true)
    return <p role="status">{t('history.words.goesOn', { count: words.written })}</p>;
  const { error } = words ?? {};
  const offers = tape && !goesOn && !comes && (!spoken || error !== undefined);
  if (!offers) return null;
  return (
    <div className="kept-words">
      {error !== undefined && (
        <p role="status" dir="auto">
          {t('history.words.failed', { reason: errorText(t, error) })}
        </p>
      )}
      {error === undefined && words !== undefined ? (
        <p role="status">{t('history.words.none')}</p>
      ) : (
        <>
          <Button onClick={() => void history.writeWords(id)}>{t('history.words.write')}</Button>
          <p className="kept-hint" dir="auto">
            {t('history.words.hint', { server: serverName(t, record.server.name) })}
          </p>
        </>
      )}
    </div>
  );
}
