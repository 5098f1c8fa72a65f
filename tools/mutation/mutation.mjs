// Mutation testing of the pure libraries: node tools/mutation/mutation.mjs [library …] [-- options of Stryker]
// Stryker starts jest once for each mutant. With a file for each spec that would load every module again and again, so
// all specs of a library are imported by one file, which lives only as long as the run. Specs over random cases are left
// out: they run long and would kill by chance.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const separator = process.argv.indexOf('--');
const names = process.argv.slice(2, separator < 0 ? undefined : separator);
const options = separator < 0 ? [] : process.argv.slice(separator + 1);
const libraries = names.length > 0 ? names : ['formulas', 'order-calculation', 'rules'];

const specsOf = (source) =>
  readdirSync(source, { recursive: true })
    .filter((file) => file.endsWith('.unit.spec.ts') && !file.includes('properties'))
    .map((file) => `import './${file.replaceAll('\\', '/').replace(/\.ts$/, '')}';\n`);

let failed = false;
for (const library of libraries) {
  const source = join(root, 'libs/domain', library, 'src');
  const everySpec = join(source, 'every-spec.generated.ts');
  writeFileSync(everySpec, specsOf(source).join(''));
  try {
    const run = spawnSync('stryker', ['run', join(root, 'tools/mutation/stryker.config.mjs'), ...options], {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        MUTATED_LIBRARY: library,
      },
    });
    failed ||= run.status !== 0;
  } finally {
    rmSync(everySpec);
  }
}
process.exit(failed ? 1 : 0);
