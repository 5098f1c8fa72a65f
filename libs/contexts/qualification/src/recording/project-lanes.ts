const laneCount = 4;
const itemsPerBatch = 256;
const waitingPerProject = 5_000;

interface Lane<Item> {
  /** By project; the one that waited longest comes first. */
  waiting: Map<string, Item[]>;
  running: boolean;
}

/** The lane of a project, from its id. */
const laneOf = (projectId: string): number => {
  let hash = 0;
  for (let index = 0; index < projectId.length; index += 1) {
    hash = (Math.imul(hash, 31) + projectId.charCodeAt(index)) >>> 0;
  }
  return hash % laneCount;
};

/** Runs work in batches of one project each, at most four batches at once. A project always uses the same lane, so its
 *  batches never overlap: everything that arrives while one runs forms the next. Projects of a lane take turns.
 *  Source: architecture §8, Limits. */
export class ProjectLanes<Item> {
  private readonly lanes = Array.from({ length: laneCount }, (): Lane<Item> => ({
    waiting: new Map(),
    running: false,
  }));

  /** `work` must not throw. */
  constructor(private readonly work: (batch: readonly Item[]) => Promise<void>) {}

  /** Queues an item. Returns false, and queues nothing, where 5,000 items of the project wait already. */
  add(projectId: string, item: Item): boolean {
    const lane = this.lanes[laneOf(projectId)]!;
    const items = lane.waiting.get(projectId) ?? [];
    if (items.length >= waitingPerProject) return false;
    items.push(item);
    lane.waiting.set(projectId, items);
    if (!lane.running) {
      lane.running = true;
      // Items that arrive in the same turn of the event loop join the first batch.
      setImmediate(() => void this.run(lane));
    }
    return true;
  }

  private async run(lane: Lane<Item>): Promise<void> {
    for (let next = lane.waiting.entries().next(); !next.done; next = lane.waiting.entries().next()) {
      const [projectId, items] = next.value;
      lane.waiting.delete(projectId);
      const batch = items.splice(0, itemsPerBatch);
      if (items.length > 0) lane.waiting.set(projectId, items);
      await this.work(batch);
    }
    lane.running = false;
  }
}
