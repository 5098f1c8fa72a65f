// Read by tools/mutation/mutation.mjs, which says which library and makes the one file that imports its specs.
const library = process.env.MUTATED_LIBRARY;
const source = `libs/domain/${library}/src`;

export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  mutate: [`${source}/**/*.ts`, `!${source}/**/*.{spec,fixture,generated}.ts`, `!${source}/**/index.ts`],
  jest: {
    configFile: 'tools/jest/unit.config.js',
    config: {
      roots: [`<rootDir>/libs/domain/${library}`],
      testMatch: ['**/every-spec.generated.ts'],
    },
    enableFindRelatedTests: false,
  },
  ignorePatterns: ['dist', '.nx', '.scrip', '/apps', '/tools', 'coverage', 'reports', '/docs'],
  concurrency: 2,
  // Tables are read once, when a module is loaded: each mutant in them would take a run of all specs. Set false to see them.
  ignoreStatic: true,
  // Every run leaves memory behind.
  maxTestRunnerReuse: 80,
  timeoutMS: 5_000,
  tempDirName: '.stryker',
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: `reports/mutation-${library}.json` },
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
};
