import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type Provider,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { settingsOfContext } from '../config/context-databases';
import { SCRIP_CONFIG, type ScripConfig } from '../config/scrip-config';
import type { ContextName } from '@scrip/contracts/registry';
import { definedJobs, type JobDefinition } from './job-definition';
import { JOB_HANDLER } from './job-handler';
import { JobQueue, jobQueueToken, jobsSchema } from './job-queue';
import { type JobHandlerFunction, JobRunner } from './job-runner';
import { migrateJobs } from './jobs-schema';

/** Finds the methods marked with `@JobHandler` in all providers and controllers of the process. */
@Injectable()
export class JobHandlers {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Handlers of a context by task. Throws `Error` where a defined job has none, or two. */
  of(context: ContextName): Map<string, JobHandlerFunction> {
    const handlers = new Map<string, JobHandlerFunction>();
    for (const [definition, handler] of this.marked()) {
      if (definition.context !== context) continue;
      if (handlers.has(definition.task))
        throw new Error(`job ${context}.${definition.task} has two handlers`);
      handlers.set(definition.task, handler);
    }
    for (const { task } of definedJobs(context)) {
      if (!handlers.has(task)) throw new Error(`job ${context}.${task} has no handler`);
    }
    return handlers;
  }

  private *marked(): Generator<[JobDefinition<object>, JobHandlerFunction]> {
    const instances = new Set(
      [...this.discovery.getProviders(), ...this.discovery.getControllers()]
        .filter(
          ({ isNotMetatype, instance }) =>
            !isNotMetatype && instance !== null && typeof instance === 'object',
        )
        .map(({ instance }) => instance as Record<string, JobHandlerFunction>),
    );
    for (const instance of instances) {
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        const method = instance[name];
        if (!method) continue;
        const definition = this.reflector.get<JobDefinition<object> | undefined>(JOB_HANDLER, method);
        if (definition) yield [definition, (payload, job) => method.call(instance, payload, job)];
      }
    }
  }
}

/** Runners of this process, for readiness. */
export class JobRunners {
  readonly all = new Map<ContextName, JobRunner>();
}

/** Starts the runner of a context with the application and drains it before its connections close. */
const lifecycleOf = (context: ContextName): Provider => {
  @Injectable()
  class JobsLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
    constructor(
      @Inject(SCRIP_CONFIG) private readonly config: ScripConfig,
      @Inject(getDataSourceToken(context)) private readonly dataSource: DataSource,
      private readonly handlers: JobHandlers,
      private readonly runners: JobRunners,
    ) {}

    async onApplicationBootstrap(): Promise<void> {
      const runner = new JobRunner({
        settings: settingsOfContext(this.config, context),
        dataSource: this.dataSource,
        schema: jobsSchema(context),
        handlers: this.handlers.of(context),
        concurrency: this.config.jobConcurrency,
        abortAfterMs: this.config.shutdownTimeoutMs / 2,
      });
      this.runners.all.set(context, runner);
      await runner.start();
    }

    async beforeApplicationShutdown(): Promise<void> {
      await this.runners.all.get(context)?.stop();
    }
  }
  return JobsLifecycle;
};

/** What the jobs of all contexts share. */
@Module({
  imports: [DiscoveryModule],
  providers: [JobHandlers, JobRunners],
  exports: [JobHandlers, JobRunners],
})
export class JobDiscoveryModule {}

/** Background jobs. A context does not import it: `jobs: true` in its definition does. */
@Module({})
export class JobsModule {
  /** Provides and exports the `JobQueue` of a context, and runs its jobs. Global. */
  static forContext(context: ContextName): DynamicModule {
    const queue: Provider = {
      provide: jobQueueToken(context),
      inject: [SCRIP_CONFIG, getDataSourceToken(context)],
      useFactory: async (config: ScripConfig, dataSource: DataSource) => {
        await migrateJobs(settingsOfContext(config, context), jobsSchema(context));
        return new JobQueue(context, dataSource);
      },
    };
    return {
      module: JobsModule,
      global: true,
      imports: [JobDiscoveryModule],
      providers: [queue, lifecycleOf(context)],
      exports: [queue],
    };
  }
}
