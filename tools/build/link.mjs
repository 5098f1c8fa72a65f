import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Links a package of the workspace into node_modules where it is missing: what `npm install` would do for packages that
 *  depend on packages of the workspace only. A checkout of a commit with a new one then needs no installation. */
export const linkPackage = (root, folder) => {
  const { name } = JSON.parse(readFileSync(join(resolve(root, folder), 'package.json'), 'utf8'));
  const path = join(root, 'node_modules', name);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  try {
    symlinkSync(relative(dirname(path), resolve(root, folder)), path);
  } catch (error) {
    // Another build was faster.
    if (error.code !== 'EEXIST') throw error;
  }
};
