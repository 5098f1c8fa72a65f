// Mutation testing of the calculation: `npm run test:mutation`, or of a part with `-- --mutate 'libs/rules/src/**/*.ts'`.
// Specs over random cases are left out: they run long and would kill by chance.
const libraries = 'libs/{formulas,order-calculation,rules}/src';

export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  mutate: [`${libraries}/**/*.ts`, `!${libraries}/**/*.{spec,fixture}.ts`, `!${libraries}/**/index.ts`],
  jest: {
    configFile: 'jest.unit.config.js',
    config: {
      roots: ['<rootDir>/libs/formulas', '<rootDir>/libs/order-calculation', '<rootDir>/libs/rules'],
      testPathIgnorePatterns: ['properties'],
      maxWorkers: 1,
    },
  },
  ignorePatterns: ['dist', '.nx', '.scrip', 'apps', 'tools/!(mutants)', 'coverage', 'reports', 'docs'],
  concurrency: 2,
  timeoutMS: 10_000,
  tempDirName: '.stryker',
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
};
