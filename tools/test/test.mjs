// npm test: build, type check, lint and all specs; the end-to-end suite against both shapes.
import { runStages } from './run-stages.mjs';

await runStages(
  // The longest first. Of `npm run lint` each part, so that no processor waits for another part to end.
  [['build'], ['lint:rules', 'typecheck', 'lint:reachability', 'lint:imports']],
  [
    { script: 'test:unit' },
    { script: 'test:int' },
    { script: 'test:e2e', env: { SCRIP_TEST_SHAPE: 'embedded' } },
    { script: 'test:e2e', env: { SCRIP_TEST_SHAPE: 'distributed' } },
  ],
);
