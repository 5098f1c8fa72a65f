import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Upcasters, newestSchemaVersion, upcast } from '@scrip/kernel';

/** An event as some release stored it. */
export interface FrozenEvent {
  type: string;
  schema_version: number;
  data: Record<string, unknown>;
}

interface Aggregate<State, Event> {
  readonly evolve: (state: State | undefined, event: Event) => State | undefined;
  readonly upcasters?: Upcasters;
}

const versionedFile = /\.v\d+\.json$/;

const eventsIn = (folder: string): FrozenEvent[] =>
  readdirSync(folder)
    .filter((file) => versionedFile.test(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as FrozenEvent);

const versionsUpTo = (newest: number): number[] => Array.from({ length: newest }, (_, index) => index + 1);

const sentence = (type: string, version: number): string => `${type} of version ${version}`;

/** The events of a folder (`<event>.v<version>.json`), written by released code and never changed: a new schema version
 *  adds a file. Source: reference 06 §9.3. */
export class FrozenEvents<State, Event extends { type: string }> {
  private readonly stored: readonly FrozenEvent[];

  constructor(
    folder: string,
    private readonly aggregate: Aggregate<State, Event>,
  ) {
    this.stored = eventsIn(folder);
  }

  /** What is wrong with the files, empty when nothing is: each of `types` needs one for every version up to its newest,
   *  and there is nothing else. */
  problems(types: readonly Event['type'][]): string[] {
    const expected = types.flatMap((type) =>
      versionsUpTo(newestSchemaVersion(this.aggregate.upcasters, type)).map((version) =>
        sentence(type, version),
      ),
    );
    const found = this.stored.map(({ type, schema_version }) => sentence(type, schema_version));
    return [
      ...expected.filter((one) => !found.includes(one)).map((one) => `missing: ${one}`),
      ...found.filter((one) => !expected.includes(one)).map((one) => `unknown: ${one}`),
    ];
  }

  /** Folds the oldest stored event of each of these types, in this order, after it was brought to the newest version. */
  folded(...types: Event['type'][]): State | undefined {
    return types.reduce<State | undefined>((state, wanted) => {
      const event = this.stored.find(({ type }) => type === wanted);
      if (!event) throw new Error(`no event ${wanted} was stored`);
      return this.aggregate.evolve(state, this.newest(event));
    }, undefined);
  }

  private newest({ type, schema_version, data }: FrozenEvent): Event {
    return { type, data: upcast(this.aggregate.upcasters, type, schema_version, data) } as unknown as Event;
  }
}
