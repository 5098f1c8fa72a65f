import { bulkFigures, decisionFigures } from '../event-store-figures';
import { type Row, rateRow } from '../row';

/** The event store without HTTP. */
export const eventStoreRows = async (databaseUrl: string): Promise<Row[]> => {
  const figures = [...(await decisionFigures(databaseUrl)), ...(await bulkFigures(databaseUrl))];
  return figures.map(({ name, perSecond, least, p50Ms, p95Ms, exact }) => {
    const waits = p50Ms === undefined ? '' : `, p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms?.toFixed(1)} ms`;
    const row = rateRow(`event store: ${name}`, perSecond, least ?? 0);
    return {
      ...row,
      measured: `${row.measured}${waits}${exact ? '' : ', INEXACT'}`,
      bar: least === undefined ? '–' : row.bar,
      met: least === undefined && exact ? null : row.met && exact,
    };
  });
};
