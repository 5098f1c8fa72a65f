// npm test: build, type check, lint and the specs; the end-to-end suite against both shapes. `npm run test:soak` has the rest.
import { runStages } from './run-stages.mjs';

const endToEnd = (shape) => [{ script: 'test:e2e', env: { SCRIP_TEST_SHAPE: shape } }];

// What fails soonest and costs least comes first.
await runStages(
  [
    [{ script: 'build' }],
    [{ script: 'typecheck' }, { script: 'lint:imports' }],
    // One processor lints, and the other runs the specs that need no server.
    [{ script: 'lint:rules' }, { script: 'test:unit', args: ['--maxWorkers=1'] }],
    [{ script: 'test:int' }],
    endToEnd('embedded'),
    endToEnd('distributed'),
  ],
  { unsteadyMax: 2 },
);
