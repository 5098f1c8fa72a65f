import { type CheckResult, type Databases, differencesIn, reconcile, reportOf } from '@scrip/reconcile';

/** How long it took until nothing differed any more. */
export interface Settled {
  /** Null where it still did when time was up. */
  afterSeconds: number | null;
  differences: number;
  /** Lines on what differs. */
  details: string[];
}

const pauseMs = 1_000;

/** Reconciles again and again until there is no difference and `isAlso` holds. */
export const untilSettled = async (
  databases: Databases,
  withinSeconds: number,
  isAlso: () => Promise<boolean> | boolean = () => true,
): Promise<Settled> => {
  const startedAt = Date.now();
  for (;;) {
    let results: CheckResult[] = [];
    let details: string[];
    try {
      results = await reconcile(databases, 0);
      details = reportOf(results.filter(({ differences }) => differences > 0));
    } catch (error) {
      details = [String(error)]; // The database is not back yet.
    }
    const seconds = (Date.now() - startedAt) / 1_000;
    const differences = differencesIn(results);
    if (results.length > 0 && differences === 0 && (await isAlso()))
      return { afterSeconds: seconds, differences, details: [] };
    if (seconds > withinSeconds) return { afterSeconds: null, differences, details };
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
