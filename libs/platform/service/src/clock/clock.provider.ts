import { Inject, type Provider } from '@nestjs/common';
import { systemClock } from '@scrip/kernel';

/** Provider token of the kernel's `BusinessClock`. Global; tests override it with a fixed one. */
export const BUSINESS_CLOCK = Symbol.for('scrip.business-clock');

/** Provider token of the kernel's `MachineClock`. Global. */
export const MACHINE_CLOCK = Symbol.for('scrip.machine-clock');

/** Injects the `BusinessClock`. */
export const InjectBusinessClock = () => Inject(BUSINESS_CLOCK);

/** Injects the `MachineClock`. */
export const InjectMachineClock = () => Inject(MACHINE_CLOCK);

export const clockProviders: Provider[] = [
  { provide: BUSINESS_CLOCK, useValue: systemClock },
  { provide: MACHINE_CLOCK, useValue: systemClock },
];
