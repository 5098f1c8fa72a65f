import { Inject } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Labels of a measurement: few values each, never ids. */
export type Labels = Record<string, string>;

/** One value read at the moment of a scrape. */
export interface Sample {
  labels?: Labels;
  value: number;
}

export const METRICS = Symbol.for('scrip.metrics');

/** Injects the process's `Metrics`. Global. */
export const InjectMetrics = () => Inject(METRICS);

/** The measurements of this process, served at `/metrics` of an address of their own. Names begin with `scrip_` and end with their unit
 *  (`_seconds`, `_total`); a name is registered once. */
export class Metrics {
  readonly registry = new Registry();

  /** Registers a counter. */
  counter(name: string, help: string, labelNames: string[] = []): (labels?: Labels, count?: number) => void {
    const counter = new Counter({ name, help, labelNames, registers: [this.registry] });
    return (labels = {}, count = 1) => counter.inc(labels, count);
  }

  /** Registers a gauge, set when its value changes. */
  gauge(name: string, help: string, labelNames: string[] = []): (value: number, labels?: Labels) => void {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.registry] });
    return (value, labels = {}) => gauge.set(labels, value);
  }

  /** Registers a histogram of durations in seconds. */
  durations(
    name: string,
    help: string,
    labelNames: string[] = [],
  ): (seconds: number, labels?: Labels) => void {
    const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
    const histogram = new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
    return (seconds, labels = {}) => histogram.observe(labels, seconds);
  }

  /** Registers a gauge that is looked up when `/metrics` is read; when the look-up fails, the metric is left out. */
  sampled(
    name: string,
    help: string,
    labelNames: string[],
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        gauge.reset();
        try {
          for (const { labels = {}, value } of await read()) gauge.set(labels, value);
        } catch {
          // Metrics must stay readable exactly when a part of the system is down.
          gauge.reset();
        }
      },
    });
  }
}
