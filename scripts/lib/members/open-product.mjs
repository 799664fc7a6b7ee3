import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { API } from 'typescript/unstable/sync';

/**
 * Opens all shipped code as one TypeScript program. The compiler's API is marked unstable, but its version is pinned, and
 * a version that breaks the API fails this gate.
 * @param {string} [tree]
 */
export const openProduct = (tree = process.cwd()) => {
  const root = realpathSync(tree);
  const config = join(root, 'tsconfig/product.json');
  const compiler = new API({ cwd: root });
  const project = compiler.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`${config} cannot be opened.`);
  return {
    checker: project.checker,
    sources: project.rootFiles
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => project.program.getSourceFile(file) ?? []),
    /** @param {string} file */
    inTree: (file) => relative(root, file).split(sep).join('/'),
    close: () => compiler.close(),
  };
};

/** @typedef {ReturnType<typeof openProduct>} Product */
