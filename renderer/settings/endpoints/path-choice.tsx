import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { TextInput } from '../../design/fields.tsx';

interface Props {
  /** On the button that opens the system's dialog. */
  readonly name: string;
  /** In a browser, which has no such dialog, the user types the path. */
  readonly fieldName: string;
  readonly onOpenDialog: () => Promise<unknown>;
  readonly onPath: (path: string) => Promise<unknown>;
}

/** A button that asks for a path: in the system's dialog, or in a browser with a field. */
export function PathChoice({ name, fieldName, onOpenDialog, onPath }: Props) {
  const inBrowser = useUiState(({ about }) => about?.host === 'browser');
  const [typing, setTyping] = useState(false);
  return (
    <>
      <Button
        aria-expanded={inBrowser ? typing : undefined}
        onClick={() => (inBrowser ? setTyping(!typing) : void onOpenDialog())}
      >
        {name}
      </Button>
      {typing && <PathField label={fieldName} onPath={onPath} />}
    </>
  );
}

function PathField({
  label,
  onPath,
}: {
  readonly label: string;
  readonly onPath: Props['onPath'];
}) {
  const { t } = useTranslation();
  const [path, setPath] = useState('');
  const send = (): void => {
    if (path.trim() !== '') void onPath(path.trim());
  };
  return (
    <div className="computer-field">
      <TextInput
        aria-label={label}
        placeholder={label}
        dir="ltr"
        value={path}
        onWrite={setPath}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          // The first steps are a form, which would begin a talk.
          event.preventDefault();
          send();
        }}
      />
      <Button aria-disabled={path.trim() === ''} onClick={send}>
        {t('model.usePath')}
      </Button>
    </div>
  );
}
