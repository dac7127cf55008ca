/** The points of a scale in words. */
import type { Scale } from '#core/structure/types/scale.ts';

/** Returns a point of a scale with what it means, if it is one of the ends: "1 (not at all)". */
export function pointLabel(value: number, option: Scale | undefined): string {
  const { minVal, maxVal, minValueLabel, maxValueLabel } = option ?? {};
  const meaning = value === minVal ? minValueLabel : value === maxVal ? maxValueLabel : undefined;
  return meaning ? `${value} (${meaning})` : String(value);
}
