import type { TFunction } from 'i18next';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  computerId,
  embeddedId,
  type ProfileDraft,
} from '../../../shared/settings/connection-settings.ts';
import { Button, passFocusOn } from '../../design/controls.tsx';
import { errorText } from '../../i18n/format.ts';
import { LocalModelPanel } from '../../settings/endpoints/local-model-panel.tsx';
import { ServerPrivacyNote } from '../../settings/endpoints/endpoint-form-fields.tsx';
import { useActions, useAppContext, useUiState } from '../app-context.ts';
import type { Bridge } from '../bridge/ordered-bridge.ts';

/** Choice of server. The user's own server is tested before it is saved. */
export function ServerStep() {
  const { t } = useTranslation();
  const { request } = useAppContext();
  const { endFirstRun, start } = useActions();
  const group = useId();
  const [choice, setChoice] = useState<'demonstration' | 'computer' | 'own'>('demonstration');
  const isOwn = choice === 'own';
  const modelReady = useUiState(({ localModel }) => localModel?.files.kind === 'ready');
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [trying, setTrying] = useState(false);
  const [problem, setProblem] = useState<ConnectProblem>();
  /** The certificate that the user trusts for this address. */
  const trusted = useRef<string>(undefined);
  /** Increased by each edit and on leaving the step. A test that began at a lower count is ignored. */
  const revision = useRef(0);
  /** The id of the server that this step has saved. Another try changes that server and adds no second one. */
  const savedId = useRef<string>(undefined);
  const resetTest = (): void => {
    revision.current += 1;
    setTrying(false);
    setProblem(undefined);
  };
  const changeAddress = (typed: string): void => {
    trusted.current = undefined;
    setAddress(typed);
    resetTest();
  };
  useEffect(() => {
    const current = revision;
    return () => {
      current.current += 1;
    };
  }, []);

  const begin = async (): Promise<void> => {
    if (trying) return;
    setTrying(true);
    const started = revision.current;
    const isCurrent = (): boolean => revision.current === started;
    const found = isOwn
      ? await connectOwnServer(request, { address, token, savedId, trusted }, t, isCurrent)
      : await chooseBuiltIn(request, { choice, modelReady }, t);
    if (!isCurrent()) return;
    setTrying(false);
    setProblem(found);
    if (found !== undefined) return;
    await endFirstRun();
    await start('audio');
  };
  // The download may have ended since the user was told to wait for it.
  const shownProblem = modelReady && problem?.text === t('model.notYet') ? undefined : problem;
  const untrusted = trying ? undefined : shownProblem?.fingerprint;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <fieldset>
        <legend className="visually-hidden">{t('firstRun.server.title')}</legend>
        <Choice
          group={group}
          name={t('firstRun.server.demonstration')}
          text={t('firstRun.server.demonstrationText')}
          checked={choice === 'demonstration'}
          onChoose={() => {
            setChoice('demonstration');
            resetTest();
          }}
        />
        <Choice
          group={group}
          name={t('model.name')}
          text={t('model.hint')}
          checked={choice === 'computer'}
          onChoose={() => {
            setChoice('computer');
            resetTest();
          }}
        >
          <LocalModelPanel />
        </Choice>
        <Choice
          group={group}
          name={t('firstRun.server.own')}
          text={t('firstRun.server.ownText')}
          checked={isOwn}
          onChoose={() => {
            setChoice('own');
            resetTest();
          }}
        >
          <div className="first-run-fields">
            <Field
              name={t('settings.rows.endpoints.url.name')}
              value={address}
              onChange={changeAddress}
              example="wss://talk.example:8006"
              required
            />
            <Field
              name={t('firstRun.server.token')}
              value={token}
              onChange={(typed) => {
                setToken(typed);
                resetTest();
              }}
              secret
            />
            <ServerPrivacyNote address={address} onChoose={changeAddress} />
          </div>
        </Choice>
      </fieldset>
      <div className="first-run-buttons">
        <Button kind="strong" type="submit">
          {t('talk.start')}
        </Button>
        <p className="first-run-status" role="status">
          {trying && isOwn ? t('firstRun.server.trying') : shownProblem?.text}
        </p>
        {untrusted !== undefined && (
          <Button
            ref={passFocusOn}
            onClick={() => {
              trusted.current = untrusted;
              void begin();
            }}
          >
            {t('settings.servers.trust')}
          </Button>
        )}
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly example?: string;
  readonly required?: boolean;
  readonly secret?: boolean;
}

function Field({ name, value, onChange, example, required, secret = false }: FieldProps) {
  const id = useId();
  return (
    <div className="first-run-field">
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        type={secret ? 'password' : 'text'}
        value={value}
        placeholder={example}
        required={required}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

interface Props {
  readonly group: string;
  readonly name: string;
  readonly text?: string;
  readonly checked: boolean;
  readonly onChoose: () => void;
  readonly lang?: string;
  readonly children?: ReactNode;
}

export function Choice({ group, name, text, checked, onChoose, lang, children }: Props) {
  return (
    <div className="choice" data-checked={checked}>
      <label lang={lang}>
        <input type="radio" name={group} checked={checked} onChange={onChoose} />
        <span className="choice-name">{name}</span>
        {text !== undefined && <span className="choice-text">{text}</span>}
      </label>
      {checked && children}
    </div>
  );
}

function endpointDraftFor(address: string): ProfileDraft {
  const url = address.trim();
  const name = hostFromUrl(url);
  const isLocal = /^(localhost|127\.|10\.|192\.168\.|\[?::1)/.test(name);
  return { name, kind: isLocal ? 'local' : 'hosted', url, dialect: 'auto', headers: {}, query: {} };
}

interface OwnServer {
  readonly address: string;
  readonly token: string;
  /** The server that an earlier try has saved. */
  readonly savedId: { current: string | undefined };
  /** The fingerprint of the certificate that the user trusts. */
  readonly trusted: { readonly current: string | undefined };
}

interface ConnectProblem {
  readonly text: string;
  /** The certificate that the user can trust. */
  readonly fingerprint?: string | undefined;
}

/**
 * Tests the server, then saves and chooses it. Returns the problem if a step fails. If the user changed or left
 * the step during the test, the server is not saved.
 */
export async function connectOwnServer(
  request: Bridge['request'],
  { address, token, savedId, trusted }: OwnServer,
  t: TFunction,
  isCurrent: () => boolean,
): Promise<ConnectProblem | undefined> {
  const id = savedId.current;
  const fingerprint = trusted.current;
  const draft = {
    ...endpointDraftFor(address),
    ...(id !== undefined && { id }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
  const secret = token.trim() === '' ? undefined : token.trim();
  const tested = await request('testEndpoint', { server: draft, mode: 'audio', token: secret });
  if (!tested.ok) return problemOf(t, tested);
  if (!tested.value.ok)
    return { ...problemOf(t, tested.value), fingerprint: tested.value.fingerprint };
  if (!isCurrent()) return undefined;
  const put = await request('putEndpoint', draft);
  if (!put.ok) return problemOf(t, put);
  const { id: chosenId } = put.value;
  savedId.current = chosenId;
  if (secret !== undefined) {
    const tokenReply = await request('setToken', { id: chosenId, token: secret });
    if (!tokenReply.ok) return problemOf(t, tokenReply);
  }
  const chosen = await request('changeSettings', { endpoints: { chosen: chosenId } });
  return chosen.ok ? undefined : problemOf(t, chosen);
}

function problemOf(
  t: TFunction,
  { error }: { readonly error: Parameters<typeof errorText>[1] },
): ConnectProblem {
  return { text: errorText(t, error) };
}

interface BuiltInChoice {
  readonly choice: 'demonstration' | 'computer';
  readonly modelReady: boolean;
}

/** Chooses the demonstration too, because the user may have chosen another server in Settings meanwhile. */
export async function chooseBuiltIn(
  request: Bridge['request'],
  { choice, modelReady }: BuiltInChoice,
  t: TFunction,
): Promise<ConnectProblem | undefined> {
  if (choice === 'computer' && !modelReady) return { text: t('model.notYet') };
  const id = choice === 'computer' ? computerId : embeddedId;
  const chosen = await request('changeSettings', { endpoints: { chosen: id } });
  return chosen.ok ? undefined : problemOf(t, chosen);
}

function hostFromUrl(url: string): string {
  const withScheme = /^[a-z]+:\/\//i.test(url) ? url : `wss://${url}`;
  return URL.canParse(withScheme) ? new URL(withScheme).host : url.slice(0, 80);
}
