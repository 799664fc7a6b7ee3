import './progress-bar.css';

interface Props {
  readonly label: string;
  /** From 0 to 1; nothing while nobody knows. */
  readonly part: number | undefined;
}

/** How far something is that takes its time. */
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
