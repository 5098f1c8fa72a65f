import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { machineTime } from './tools/boundaries/machine-time.mjs';

// The boundary rule reads the project graph that nx stored last, and silently checks nothing where there is none.
process.env.NX_DAEMON ??= 'false';
await createProjectGraphAsync({ exitOnError: true });

const may = (sourceTag, ...onlyDependOnLibsWithTags) => ({ sourceTag, onlyDependOnLibsWithTags });

// A package is tagged with the folder it lies in. Which kinds may depend on which; a context never on another context.
// That only specs may use `testing`, and what pure files may import, is in tools/boundaries/dependency-cruiser.cjs.
const boundaries = [
  may('kernel', 'kernel'),
  may('domain', 'domain', 'kernel', 'testing'),
  may('shared', 'shared', 'domain', 'kernel', 'platform', 'testing'),
  may('platform', 'platform', 'shared', 'domain', 'testing'),
  may('contexts', 'platform', 'shared', 'domain', 'testing'),
  may('local', 'local', 'kernel', 'platform'),
  may('composition', 'contexts', 'platform', 'shared'),
  may('apps', 'composition', 'contexts', 'local', 'platform', 'shared', 'domain'),
  may('tools', '*'),
];

// A key that nothing gives a status must not compile, so refusals name their keys where they are made.
const keylessRefusal = {
  selector: "TSTypeReference[typeName.name='Refusal']:not(:has(> TSTypeParameterInstantiation))",
  message: 'Name the keys: Refusal<…>, or the alias of the context.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.nx/**',
      '.scrip/**',
      'coverage/**',
      '.stryker/**',
      'reports/**',
      'tools/boundaries/fixtures/**',
      'tools/generator/templates/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    // One program for all packages: one for each would need more memory than a process may have.
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        { depConstraints: boundaries, allow: [], enforceBuildableLibDependency: false },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^\\.{1,2}/.*\\.[jt]s$', message: 'Relative imports have no extension here.' }],
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['libs/{domain,contexts}/*/src/**/*.ts', 'libs/shared/{claims,contracts,list-query}/src/**/*.ts'],
    ignores: ['**/*.{spec,fixture}.ts', '**/{fixtures,testing}/**'],
    rules: { 'no-restricted-syntax': ['error', keylessRefusal] },
  },
  {
    files: ['**/*.{decider,events,commands}.ts', 'libs/domain/*/src/**/*.ts'],
    ignores: ['**/*.{spec,fixture}.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is an argument of decisions.' },
        { object: 'Math', property: 'random', message: 'Chance is an argument of decisions.' },
      ],
      'no-restricted-syntax': [
        'error',
        keylessRefusal,
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time is an argument of decisions.',
        },
        { selector: "Identifier[name='process']", message: 'Settings are arguments of decisions.' },
      ],
    },
  },
  {
    files: ['libs/contexts/**/*.ts', 'libs/shared/{contracts,list-query,wire}/**/*.ts'],
    ignores: [
      '**/*.{spec,fixture}.ts',
      '**/*.{decider,events,commands}.ts',
      '**/fixtures/**',
      '**/*migration*.ts',
      '**/migrations/*.ts',
    ],
    plugins: { scrip: { rules: { 'machine-time': machineTime } } },
    rules: { 'scrip/machine-time': 'error' },
  },
  {
    files: ['**/*.{js,cjs}'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // An expression must match in time proportional to the text, for every text. A match that starts anew at each
    // character is superlinear too. The two lexers are left out: chevrotain makes their expressions sticky.
    files: ['{apps,libs}/**/*.ts'],
    ignores: [
      '**/*.{spec,fixture}.ts',
      'libs/domain/formulas/src/lexer.ts',
      'libs/domain/rules/src/logic/logic.ts',
    ],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  prettier,
);
