import { Component } from 'react';
import type { ReactNode } from 'react';
import { BrokenPlace } from './broken-place.tsx';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly broken: boolean;
}

/**
 * One place of the page: where it breaks, a sentence stands in it, and the other places go on. React
 * has no other way to catch what drawing throws than a class.
 */
export class PlaceBoundary extends Component<Props, State> {
  override state: State = { error: undefined, broken: false };

  override componentDidCatch(error: unknown): void {
    this.setState({ error, broken: true });
  }

  readonly #again = (): void => {
    this.setState({ error: undefined, broken: false });
  };

  override render(): ReactNode {
    const { error, broken } = this.state;
    return broken ? <BrokenPlace error={error} again={this.#again} /> : this.props.children;
  }
}
