import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { admissionOptions, type AdmissionSettings } from '../admission/admission-settings';
import type { Counters } from '../call-log/stored-notes';
import { edgeFastifyOptions } from './fastify-options';
import { idempotencyMigrations } from '../migrations';
import { serveDocs } from '../openapi/serve-docs';
import { fastifyOf, registerEdge } from './register-edge';

/** The edge in front of contexts in one process, as `bootScrip({ edge })` takes it. */
export const embeddedEdge = {
  fastifyOptions: edgeFastifyOptions(),
  migrations: idempotencyMigrations,
  register: (
    app: NestFastifyApplication,
    config: AdmissionSettings,
    { counters }: { counters: Counters },
  ): void => {
    registerEdge(app, admissionOptions(app, config, counters));
    serveDocs(fastifyOf(app));
  },
};
