import { IsText, NestedList } from '@scrip/edge';
import { ArrayMaxSize, IsArray, IsIn, IsOptional } from 'class-validator';

/** Of `validity_day_of_week`, Sunday first. */
export const weekdays = [0, 1, 2, 3, 4, 5, 6];

/** A list of at most 7 weekdays, Sunday is 0. Source: reference 04 §7. */
export const AreWeekdays = (): PropertyDecorator => (target, property) => {
  // The last one first, as decorators that stand beside each other.
  for (const decorate of [IsIn(weekdays, { each: true }), ArrayMaxSize(weekdays.length), IsArray()])
    decorate(target, property);
};

/** How often a window opens, and for how long. Source: reference 04 §7. */
export class TimeframeBody {
  @IsText({ max: 64 }) interval!: string;
  @IsText({ max: 64 }) duration!: string;
}

class DailyHoursBody {
  @AreWeekdays() days_of_week!: number[];
  @IsText({ max: 8 }) start_time!: string;
  @IsOptional() @IsText({ max: 8 }) expiration_time?: string;
}

/** Hours of weekdays. Source: reference 04 §7. */
export class HoursBody {
  @NestedList(() => DailyHoursBody, { min: 1, max: 100 }) daily!: DailyHoursBody[];
}
