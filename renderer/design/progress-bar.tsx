import './progress-bar.css';

interface Props {
  readonly label: string;
  /** In [0, 1]; undefined if unknown. */
  readonly fraction: number | undefined;
}

export function ProgressBar({ label, fraction }: Props) {
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={fraction === undefined ? undefined : Math.round(fraction * 100)}
    >
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden>
        <rect width={(fraction ?? 0) * 100} height={4} />
      </svg>
    </div>
  );
}
