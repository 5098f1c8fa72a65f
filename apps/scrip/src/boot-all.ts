import { allContexts } from '@scrip/contexts';
import { embeddedEdge } from '@scrip/edge';
import { type BootOptions, type RunningApp, type ScripConfig, bootScrip } from '@scrip/service';

/** Boots the edge and every context in this process, on the database of `config`. */
export const bootAll = (
  config: ScripConfig,
  options: Pick<BootOptions, 'logger' | 'prepare'> = {},
): Promise<RunningApp> => bootScrip({ ...options, contexts: allContexts, config, edge: embeddedEdge });
