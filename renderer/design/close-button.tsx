import { X } from 'lucide-react';
import './button.css';

interface Props {
  readonly label: string;
  readonly onClick: () => void;
}

/** Of a sheet. It has no tip: what opens gives it the keyboard, and the first Escape would go to the tip. */
export function CloseButton({ label, onClick }: Props) {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={onClick}>
      <X size={20} strokeWidth={1.75} aria-hidden />
    </button>
  );
}
