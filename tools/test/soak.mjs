// npm run test:soak: the specs that `npm test` runs at a tenth of their rounds, at full scale, and those that it leaves out,
// `*.long.spec.ts`.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStages } from './run-stages.mjs';

const scaled = ['apps', 'libs', 'tools']
  .flatMap((group) => readdirSync(join(root, group), { recursive: true }).map((file) => join(group, file)))
  .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules'))
  .filter((file) => /\brounds\(/.test(readFileSync(join(root, file), 'utf8')));

const stage = (kind, env = {}) => ({
  script: `test:${kind}`,
  args: scaled.filter((file) => file.endsWith(`.${kind}.spec.ts`)),
  env: { SCRIP_TEST_SCALE: '1', ...env },
});

await runStages(
  [['build']],
  [
    stage('unit'),
    stage('int'),
    stage('e2e', { SCRIP_TEST_SHAPE: 'embedded' }),
    stage('e2e', { SCRIP_TEST_SHAPE: 'distributed' }),
    // Without a file named, jest would run all of them.
  ]
    .filter(({ args }) => args.length > 0)
    // One of the long ones boots the shape of the run.
    .concat(
      { script: 'test:long' },
      {
        script: 'test:long',
        args: ['tools/generator/src/new-context-boots'],
        env: { SCRIP_TEST_SHAPE: 'distributed' },
      },
    ),
);
