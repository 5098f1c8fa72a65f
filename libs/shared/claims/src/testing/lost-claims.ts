import type { Metrics } from '@scrip/service';

/** How many recorded claims in that state an owner's metrics count as lost. */
export const lostClaims = async (metrics: Metrics, owner: string, state: string): Promise<number> => {
  const line = `scrip_${owner}_recorded_claims_lost_total{state="${state}"} `;
  const text = await metrics.registry.metrics();
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(line))
      ?.slice(line.length) ?? 0,
  );
};
