import { Logger } from '@nestjs/common';
import { ConfigurationError } from '../config/environment';
import { readSettings, type ScripConfig, type ScripSettings } from '../config/scrip-config';
import type { ContextDefinition } from '../context/context-definition';
import { type BootOptions, bootScrip, type RunningApp } from './boot-scrip';
import { runProgram } from './run-program';
import { closeOnSignals } from './shutdown';

/** A context that runs as a service of its own. */
export interface ServiceProgram {
  context: ContextDefinition;
  edge: BootOptions['edge'];
  /** Last part of the start; the service is not ready before. */
  prepare?: (running: RunningApp, config: ScripConfig) => Promise<void>;
}

/** Returns the settings of one service. What the embedded shape generates must be given. Throws
 *  `ConfigurationError`. */
export const serviceConfigOf = (settings: ScripSettings): ScripConfig => {
  const { masterKey, databaseUrl, distribution } = settings;
  const needed = { SCRIP_SERVICES: distribution, SCRIP_MASTER_KEY: masterKey, DATABASE_URL: databaseUrl };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === null ? [name] : []));
  if (!masterKey || !databaseUrl || missing.length > 0) {
    throw new ConfigurationError(
      missing.map((name) => `${name} is missing, which a service needs`).join('\n'),
    );
  }
  return { ...settings, masterKey, databaseUrl };
};

/** Runs one context as a process until a signal ends it. Source: architecture §1, §2. */
export const runService = ({ context, edge, prepare }: ServiceProgram): Promise<void> =>
  runProgram(async () => {
    const startedAt = performance.now();
    const config = serviceConfigOf(readSettings(process.env));
    const booting = bootScrip({
      contexts: [context],
      config,
      edge,
      ...(prepare ? { prepare: (running) => prepare(running, config) } : {}),
    });
    closeOnSignals(async () => (await booting).close(), config.shutdownTimeoutMs);
    const { url } = await booting;
    const tookMs = Math.round(performance.now() - startedAt);
    new Logger('Scrip').log(`${context.name} listens at ${url} after ${tookMs} ms`);
  });
