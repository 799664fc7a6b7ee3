import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** What takes longest, and mostly waits, begins first: what would else be waited for at the end. */
export class ScenesFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isScene = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/scenes/');
    return Promise.resolve([...files.filter(isScene), ...files.filter((file) => !isScene(file))]);
  }
}
