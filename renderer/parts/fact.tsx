interface Props {
  readonly name: string;
  readonly value: string;
}

/** One name with its value, inside a `dl`. */
export function Fact({ name, value }: Props) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
