// npm test: build, type check, lint and the specs; the end-to-end suite against both shapes. `npm run test:soak` has the rest.
import { runStages } from './run-stages.mjs';

const endToEnd = (shape) => [{ script: 'test:e2e', env: { SCRIP_TEST_SHAPE: shape } }];

await runStages([
  [{ script: 'build' }],
  // One processor lints, which takes the longest, and the other does what needs no server.
  [
    { script: 'lint:rules' },
    { script: 'typecheck' },
    { script: 'test:unit', args: ['--maxWorkers=1'] },
    { script: 'lint:imports' },
  ],
  [{ script: 'test:int' }],
  endToEnd('embedded'),
  endToEnd('distributed'),
]);
