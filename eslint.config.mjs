import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

// The boundary rule reads the project graph that nx stored last, and silently checks nothing where there is none.
process.env.NX_DAEMON ??= 'false';
await createProjectGraphAsync({ exitOnError: true });

const may = (sourceTag, ...onlyDependOnLibsWithTags) => ({ sourceTag, onlyDependOnLibsWithTags });

// Which packages may depend on which; a context never on another context. That only specs may use type:testing,
// and what pure files may import, is in .dependency-cruiser.cjs.
const boundaries = [
  may('type:kernel', 'type:kernel'),
  may('type:pure', 'type:pure', 'type:kernel', 'type:testing'),
  may('type:contracts', 'type:contracts', 'type:platform', 'type:pure', 'type:kernel', 'type:testing'),
  may('type:server', 'type:server', 'type:kernel'),
  may('type:testing', 'type:server', 'type:kernel'),
  may('type:platform', 'type:platform', 'type:contracts', 'type:pure', 'type:kernel', 'type:testing'),
  may('type:context', 'type:platform', 'type:contracts', 'type:pure', 'type:kernel', 'type:testing'),
  may('type:composition', 'type:context', 'type:platform'),
  may(
    'type:app',
    'type:composition',
    'type:context',
    'type:server',
    'type:platform',
    'type:contracts',
    'type:pure',
    'type:kernel',
    'type:testing',
  ),
  may('type:tool', '*'),
];

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
    files: [
      '**/*.{decider,events,commands}.ts',
      'libs/formulas/src/**/*.ts',
      'libs/order-calculation/src/**/*.ts',
      'libs/rules/src/**/*.ts',
    ],
    ignores: ['**/*.{spec,fixture}.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is an argument of decisions.' },
        { object: 'Math', property: 'random', message: 'Chance is an argument of decisions.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time is an argument of decisions.',
        },
        { selector: "Identifier[name='process']", message: 'Settings are arguments of decisions.' },
      ],
    },
  },
  {
    files: ['**/*.{js,cjs}'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  prettier,
);
