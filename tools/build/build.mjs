// Compiles packages with SWC: <package>/src/**/*.ts → <package>/dist/**/*.js, other files copied, specs and fixtures left out.
// Usage: node tools/build/build.mjs [package folder…]; without arguments, every package of the workspace.
// Packages that are missing in node_modules are linked there. A file whose output is newer than its source is skipped, and
// outputs without a source are removed.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { linkPackage } from './link.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const optionsFile = join(root, 'tools/build/swc.json');

/** Folders of a workspace pattern, whose parts are names or `*`. */
const foldersMatching = async ([part, ...rest], parent = root) => {
  if (part === undefined) return [parent];
  if (part !== '*') return foldersMatching(rest, join(parent, part));
  const entries = existsSync(parent) ? await readdir(parent, { withFileTypes: true }) : [];
  const folders = entries.filter((entry) => entry.isDirectory());
  return (await Promise.all(folders.map(({ name }) => foldersMatching(rest, join(parent, name))))).flat();
};

const workspacePackages = async () => {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const folders = workspaces.map((pattern) => foldersMatching(pattern.split('/')));
  return (await Promise.all(folders)).flat().filter((folder) => existsSync(join(folder, 'package.json')));
};

const filesUnder = async (folder) => {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
};

const modifiedAt = async (file) => (existsSync(file) ? (await stat(file)).mtimeMs : 0);
const isSource = (file) => file.endsWith('.ts') && !file.endsWith('.d.ts');
const outputOf = (file) => (isSource(file) ? file.replace(/\.ts$/, '.js') : file);

const options = JSON.parse(await readFile(optionsFile, 'utf8'));
delete options.$schema;
const optionsChangedAt = Math.max(
  await modifiedAt(optionsFile),
  await modifiedAt(fileURLToPath(import.meta.url)),
);

const compile = async (source, target) => {
  const { code, map } = await transform(await readFile(source, 'utf8'), {
    ...options,
    swcrc: false,
    configFile: false,
    filename: source,
    sourceFileName: relative(dirname(target), source),
  });
  await writeFile(target, `${code}//# sourceMappingURL=${target.split(/[\\/]/).at(-1)}.map\n`);
  await writeFile(`${target}.map`, map);
};

const buildPackage = async (folder) => {
  const wanted = (await filesUnder(join(folder, 'src'))).filter(
    (file) => !/\.(spec|fixtures?|d)\.ts$/.test(file),
  );
  const outputs = new Set(wanted.flatMap((file) => [outputOf(file), `${outputOf(file)}.map`]));
  const stale = (await filesUnder(join(folder, 'dist'))).filter((file) => !outputs.has(file));
  await Promise.all(stale.map((file) => rm(join(folder, 'dist', file))));
  let compiled = 0;
  await Promise.all(
    wanted.map(async (file) => {
      const source = join(folder, 'src', file);
      const target = join(folder, 'dist', outputOf(file));
      if ((await modifiedAt(target)) > Math.max(await modifiedAt(source), optionsChangedAt)) return;
      await mkdir(dirname(target), { recursive: true });
      await (isSource(file) ? compile(source, target) : copyFile(source, target));
      compiled += 1;
    }),
  );
  return compiled;
};

const folders = process.argv.slice(2).map((folder) => resolve(folder));
const packages = folders.length > 0 ? folders : await workspacePackages();
packages.forEach((folder) => linkPackage(root, folder));
const counts = await Promise.all(packages.map(buildPackage));
console.log(
  `built ${counts.length} packages, ${counts.reduce((sum, count) => sum + count, 0)} files compiled`,
);
