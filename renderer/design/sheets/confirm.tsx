import { Button } from '../button.tsx';
import { Sheet } from './sheet.tsx';
import './confirm.css';

interface Props {
  readonly open: boolean;
  readonly question: string;
  readonly more: string;
  readonly yes: string;
  readonly no: string;
  readonly close: () => void;
  readonly run: () => void;
}

/**
 * Asks before something goes for good. It opens away from the button that opened it and begins on the
 * harmless answer, so that a double click deletes nothing.
 */
export function Confirm({ open, question, more, yes, no, close, run }: Props) {
  return (
    <Sheet
      name={question}
      open={open}
      setOpen={(next) => {
        if (!next) close();
      }}
    >
      <div className="confirm-sheet">
        <p className="confirm-question">{question}</p>
        <p>{more}</p>
        <div className="confirm-buttons">
          <Button onClick={close}>{no}</Button>
          <Button
            kind="danger"
            onClick={() => {
              close();
              run();
            }}
          >
            {yes}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
