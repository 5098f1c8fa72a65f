// npm run test:soak: the specs that `npm test` runs at a twentieth of their rounds, at full scale, and what it leaves out: the
// rule about what packages reach, end-to-end specs between services that need one process only, and `*.long.spec.ts`.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import betweenServices from '../jest/between-services-in-the-soak.cjs';
import { root, runStages } from './run-stages.mjs';

const scaled = ['apps', 'libs', 'tools']
  .flatMap((group) => readdirSync(join(root, group), { recursive: true }).map((file) => join(group, file)))
  .filter((file) => file.endsWith('.spec.ts') && !file.includes('node_modules'))
  .filter((file) => /\brounds\(/.test(readFileSync(join(root, file), 'utf8')));

const scaledJob = (kind, env = {}, more = []) => ({
  script: `test:${kind}`,
  args: [...new Set([...scaled.filter((file) => file.endsWith(`.${kind}.spec.ts`)), ...more])],
  env: { SCRIP_TEST_SCALE: '1', ...env },
});

const longJob = (env, args) => ({ script: 'test:long', args, env: { SCRIP_TEST_SCALE: '1', ...env } });

await runStages(
  [
    { script: 'build' },
    { script: 'lint:reachability' },
    scaledJob('unit'),
    scaledJob('int'),
    scaledJob('e2e', { SCRIP_TEST_SHAPE: 'embedded' }),
    scaledJob('e2e', { SCRIP_TEST_SHAPE: 'distributed' }, betweenServices),
    longJob(),
    // One of the long ones boots the shape of the run.
    longJob({ SCRIP_TEST_SHAPE: 'distributed' }, ['tools/generator/src/new-context-boots']),
  ]
    // Without a file named, jest would run all of a kind.
    .filter(({ args }) => args?.length !== 0)
    .map((job) => [job]),
  // At full rounds one failure is what they look for.
  { unsteadyMax: 0 },
);
