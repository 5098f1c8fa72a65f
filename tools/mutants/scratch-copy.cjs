// A copy of the repository to change and to run.
const { spawnSync } = require('node:child_process');
const {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join, resolve } = require('node:path');

const root = resolve(__dirname, '../..');

/** Where `npm run typecheck` keeps what it knows of unchanged files. */
const typecheckInfo = 'node_modules/.cache/scrip/typecheck.tsbuildinfo';

const ownModules = new Set(['@scrip', '.cache']);

/** Returns the folder of a new copy of the tracked tree. Its workspace packages resolve to the copy, third-party
 *  packages are shared, and a type check of it begins where the last one here ended. */
exports.scratchCopy = () => {
  const copy = mkdtempSync(join(tmpdir(), 'scrip-copy-'));
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });
  const present = listed.stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  for (const file of present) cpSync(join(root, file), join(copy, file), { recursive: true, force: true });
  mkdirSync(join(copy, 'node_modules/@scrip'), { recursive: true });
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (!ownModules.has(entry))
      symlinkSync(join(root, 'node_modules', entry), join(copy, 'node_modules', entry));
  }
  for (const file of present.filter((path) =>
    /^(apps|tools|libs\/[^/]+)\/[^/]+\/package\.json$/.test(path),
  )) {
    const { name } = JSON.parse(readFileSync(join(copy, file), 'utf8'));
    symlinkSync(dirname(join(copy, file)), join(copy, 'node_modules', name));
  }
  if (existsSync(join(root, typecheckInfo))) {
    mkdirSync(dirname(join(copy, typecheckInfo)), { recursive: true });
    cpSync(join(root, typecheckInfo), join(copy, typecheckInfo));
  }
  return copy;
};
