// node tools/build/run.mjs <program.js> [arguments]: builds what changed (nothing changed: 0.1 s), then runs the
// program in the same process, so that signals reach it. The build is a process of its own: its compiler would stay
// in memory otherwise.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const program = resolve(root, process.argv[2]);

// An installation without development dependencies has no compiler and is built already.
if (existsSync(join(root, 'node_modules', '@swc', 'core'))) {
  const build = [join(root, 'tools', 'build', 'build.mjs')];
  const { status } = spawnSync(process.execPath, build, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

// npm sends signals to a shell, which ends without forwarding them. A program whose shell is gone therefore ends
// itself.
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 250).unref();
}

process.argv.splice(1, 2, program);
createRequire(import.meta.url)(program);
