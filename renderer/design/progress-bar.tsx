import './progress-bar.css';

interface Props {
  readonly label: string;
  /** In [0, 1]; undefined if unknown. */
  readonly part: number | undefined;
}

export function ProgressBar({ label, part }: Props) {
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part === undefined ? undefined : Math.round(part * 100)}
    >
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
        <rect width={(part ?? 0) * 100} height={4} />
      </svg>
    </div>
  );
}
