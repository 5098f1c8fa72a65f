/** The last answer that the caller of a redemption got. `unknown`: none, or 503; the redemption happened once or not
 *  at all. */
export interface ToldCall {
  end: 'acknowledged' | 'refused' | 'unknown';
  /** Of the redemption or, for a stack, of its parent. */
  id?: string;
}

/** Notes of all callers of a run. */
export class Told {
  /** By the call's name, which its redemption carries as metadata. */
  readonly calls = new Map<string, ToldCall>();
  /** Redemptions whose rollback was acknowledged. */
  readonly rolledBack = new Set<string>();
  /** How often each answer was given ("200", "503 unavailable"); repeats of a keyed call count too. */
  readonly answers = new Map<string, number>();
  /** Longest time a caller waited for any answer. */
  slowestMs = 0;
  /** When the last success was told. */
  lastSuccessAt = 0;

  answered(answer: string, ms: number): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (answer === '200') this.lastSuccessAt = Date.now();
  }

  /** How many answers there were that `isExpected` does not expect, each with its count. */
  otherThan(isExpected: (answer: string) => boolean): string[] {
    return [...this.answers].flatMap(([answer, count]) =>
      isExpected(answer) ? [] : [`${answer}: ${count}`],
    );
  }

  /** Counts answers with 5xx, and calls without an answer. */
  errors(): number {
    return [...this.answers].reduce((sum, [answer, count]) => sum + (/^(5|no)/.test(answer) ? count : 0), 0);
  }

  /** The counts of answers now, for `since`. */
  snapshot(): ReadonlyMap<string, number> {
    return new Map(this.answers);
  }

  /** The answers given since a snapshot, as text. */
  since(before: ReadonlyMap<string, number>): string {
    return [...this.answers]
      .map(([answer, count]) => [answer, count - (before.get(answer) ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .map(([answer, count]) => `${answer}: ${count}`)
      .join(', ');
  }

  count(end: ToldCall['end']): number {
    return [...this.calls.values()].filter((call) => call.end === end).length;
  }
}

const refusals = /^400 (quantity_exceeded|multiple_requests|already_rolled_back)$/;

/** Answers that callers are prepared for: success, 503, a refusal that the load provokes, 409 while a keyed call is
 *  under way, and no answer at all from a gateway that was killed. */
export const isExpected = (answer: string): boolean =>
  answer === '200' ||
  answer.startsWith('503 ') ||
  answer.startsWith('409 ') ||
  answer === 'none' ||
  refusals.test(answer);
