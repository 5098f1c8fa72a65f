import { LRUCache } from 'lru-cache';

/** Runs after which a text gets a name: what runs once, like a list under a rare filter, is not worth a plan. */
const runsBefore = 5;
/** Each connection keeps the plans of all names that it has used. */
const namesMax = 500;
const countedMax = 1_000;

interface Named {
  number: number;
  runs: number;
}

const nameOf = ({ number, runs }: Named): string => `scrip_${number}_${(31 - Math.clz32(runs)) >> 2}`;

/** Names for SQL texts that run often, under which connections prepare them: the server parses and plans such a text
 *  once for each connection. */
export class StatementNames {
  private given = 0;
  private readonly named = new Map<string, Named>();
  private readonly counted = new LRUCache<string, number>({ max: countedMax });

  /** Counts one run of `text`; the name to run it under, undefined while it has none. A plan made while a table was
   *  empty must not live on when it is full: the name changes whenever the runs have grown sixteenfold. */
  nameFor(text: string): string | undefined {
    const known = this.named.get(text);
    if (known) {
      known.runs += 1;
      return nameOf(known);
    }
    const runs = (this.counted.get(text) ?? 0) + 1;
    if (runs < runsBefore || this.named.size === namesMax) {
      this.counted.set(text, runs);
    } else {
      this.counted.delete(text);
      this.named.set(text, { number: this.given++, runs });
    }
    return undefined;
  }

  /** Gives `text` another name, unless it has one already: what was prepared under `name` no longer works. */
  renew(text: string, name: string): void {
    const known = this.named.get(text);
    if (known && nameOf(known) === name) known.number = this.given++;
  }
}
