import { Logger } from '@nestjs/common';
import { ConfigurationError } from '../config/environment';
import { readSettings, type ScripSettings } from '../config/scrip-config';
import { bootGateway, type GatewayConfig, type GatewayOptions } from './boot-gateway';
import { runProgram } from './run-program';
import { closeOnSignals } from './shutdown';

const gatewayConfigOf = (settings: ScripSettings): GatewayConfig => {
  const { distribution } = settings;
  if (!distribution) throw new ConfigurationError('SCRIP_SERVICES is missing, which a gateway needs');
  return { ...settings, distribution };
};

/** Runs a gateway as a process until a signal ends it. Source: architecture §1, §2. */
export const runGateway = (edge: GatewayOptions['edge']): Promise<void> =>
  runProgram(async () => {
    const startedAt = performance.now();
    const config = gatewayConfigOf(readSettings(process.env));
    const booting = bootGateway({ config, edge });
    closeOnSignals(async () => (await booting).close(), config.shutdownTimeoutMs);
    const { url } = await booting;
    const tookMs = Math.round(performance.now() - startedAt);
    new Logger('Scrip').log(`gateway listens at ${url} after ${tookMs} ms`);
  });
