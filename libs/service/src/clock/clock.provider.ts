import { Inject, type Provider } from '@nestjs/common';
import { systemClock } from '@scrip/kernel';

/** Provider token of the kernel's `Clock`. Global; tests override it with a fixed one. */
export const CLOCK = Symbol.for('scrip.clock');

/** Injects the `Clock`. */
export const InjectClock = () => Inject(CLOCK);

export const clockProvider: Provider = { provide: CLOCK, useValue: systemClock };
