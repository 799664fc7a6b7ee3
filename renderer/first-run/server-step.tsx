import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { ServerPromises } from '../parts/server-promises.tsx';
import { useActions, useAppContext } from '../store/use-app-context.ts';
import { Choice } from './choice.tsx';
import { connectOwnServer } from './connect-own-server.ts';

/** The demonstration needs nothing; a server of one's own is tried before it is taken. */
export function ServerStep() {
  const { t } = useTranslation();
  const { request } = useAppContext();
  const { endFirstRun, start } = useActions();
  const group = useId();
  const [own, setOwn] = useState(false);
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [trying, setTrying] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** Counts what was given and that the step was left: nothing begins for what was tried before. */
  const given = useRef(0);
  const changed = (): void => {
    given.current += 1;
    setTrying(false);
    setProblem(undefined);
  };
  useEffect(() => {
    const here = given;
    return () => {
      here.current += 1;
    };
  }, []);

  const begin = async (): Promise<void> => {
    if (trying) return;
    setTrying(true);
    const before = given.current;
    const stillWanted = (): boolean => given.current === before;
    const wrong = own
      ? await connectOwnServer(request, { address, token }, t, stillWanted)
      : undefined;
    if (!stillWanted()) return;
    setTrying(false);
    setProblem(wrong);
    if (wrong !== undefined) return;
    await endFirstRun();
    await start('audio');
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <fieldset>
        <legend className="only-heard">{t('firstRun.server.title')}</legend>
        <Choice
          group={group}
          name={t('firstRun.server.demonstration')}
          text={t('firstRun.server.demonstrationText')}
          checked={!own}
          choose={() => {
            setOwn(false);
            changed();
          }}
        />
        <Choice
          group={group}
          name={t('firstRun.server.own')}
          text={t('firstRun.server.ownText')}
          checked={own}
          choose={() => {
            setOwn(true);
          }}
        >
          <div className="first-run-fields">
            <Field
              name={t('firstRun.server.address')}
              value={address}
              change={(typed) => {
                setAddress(typed);
                changed();
              }}
              example="wss://talk.example:8006"
              required
            />
            <Field
              name={t('firstRun.server.token')}
              value={token}
              change={(typed) => {
                setToken(typed);
                changed();
              }}
              secret
            />
            <ServerPromises
              address={address}
              take={(url) => {
                setAddress(url);
                changed();
              }}
            />
          </div>
        </Choice>
      </fieldset>
      <div className="first-run-buttons">
        <Button kind="strong" type="submit">
          {t('talk.start')}
        </Button>
        <p className="first-run-said" role="status">
          {trying && own ? t('firstRun.server.trying') : problem}
        </p>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly example?: string;
  readonly required?: boolean;
  readonly secret?: boolean;
}

function Field({ name, value, change, example, required, secret = false }: FieldProps) {
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
        onChange={({ target }) => {
          change(target.value);
        }}
      />
    </div>
  );
}
