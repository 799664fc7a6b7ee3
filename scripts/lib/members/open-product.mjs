import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { API } from 'typescript/unstable/sync';

/**
 * All that ships, as one program of the compiler, which knows what every name means. Its interface is
 * called unstable, but the compiler's version is fixed: a new one that changes it fails this gate.
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
