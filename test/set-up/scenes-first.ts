import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs scenes first: they take longest and mostly wait, so the run does not wait for them at the end. */
export class ScenesFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isScene = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/scenes/');
    return Promise.resolve([...files.filter(isScene), ...files.filter((file) => !isScene(file))]);
  }
}
