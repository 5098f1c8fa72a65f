// npm run new:context -- <context> <feature>: a context that boots, lists and takes commands, with its first feature.
// npm run new:feature -- <context> <feature>: one more feature of a context.
// Examples: npm run new:context -- rewards reward; npm run new:feature -- rewards badge
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkPackage } from '../build/link.mjs';
import { addContext } from './context.mjs';
import { addFeature, nextMigration } from './feature.mjs';
import { checkedName, spellingsOf } from './names.mjs';
import { Tree } from './tree.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const templates = join(here, 'templates');
const root = resolve(here, '../..');
const [kind, context = '', feature = ''] = process.argv.slice(2);

const make = async () => {
  if (kind !== 'context' && kind !== 'feature') throw new Error('a context or a feature can be made');
  checkedName(context, 'a context', /^[a-z][a-z0-9]*$/);
  const tree = new Tree(root);
  const spellings = spellingsOf(context, checkedName(feature, 'a feature'), nextMigration(tree, context));
  const packages = kind === 'context' ? addContext(tree, templates, spellings) : [];
  addFeature(tree, templates, spellings);
  const files = await tree.save();
  packages.forEach((folder) => linkPackage(root, folder));
  return files;
};

// The pages that follow from routes and events.
const pages = ['docs:openapi', 'docs:events', 'docs:contexts', 'docs:configuration'];

try {
  for (const file of (await make()).sort()) console.log(file);
  for (const page of process.argv.includes('--no-pages') ? [] : pages)
    if (spawnSync('npm', ['run', page], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
      throw new Error(`npm run ${page} failed`);
} catch (error) {
  console.error(
    `${error.message}\nusage: npm run new:context -- rewards reward, npm run new:feature -- rewards badge`,
  );
  process.exitCode = 1;
}
