import { Check } from 'lucide-react';
import { useUiState } from '../store/use-app-context.ts';
import './told-line.css';

/** What was done a moment ago by a command, where nothing else on the screen shows it. */
export function ToldLine() {
  const told = useUiState(({ told }) => told);
  return (
    <div className="told" role="status">
      {told !== undefined && (
        <p dir="auto">
          <Check aria-hidden />
          {told}
        </p>
      )}
    </div>
  );
}
