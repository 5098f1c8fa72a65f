// npm test: build, type check, lint and the specs; the end-to-end suite against both shapes. `npm run test:soak` has the rest.
import { runStages } from './run-stages.mjs';

await runStages(
  // The longest first. Of `npm run lint` each part, so that no processor waits for another part to end.
  [['build'], ['lint:rules', 'typecheck', 'lint:imports']],
  [
    { script: 'test:unit' },
    { script: 'test:int' },
    { script: 'test:e2e', env: { SCRIP_TEST_SHAPE: 'embedded' } },
    { script: 'test:e2e', env: { SCRIP_TEST_SHAPE: 'distributed' } },
  ],
);
