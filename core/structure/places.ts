/** Where clients that draw the workflow show new nodes. What is drawn already stays where it is. Pure. */
import type { Structure } from './structure.ts';
import type { WorkflowNode } from './workflow-model.ts';

type Point = { x: number; y: number };

/** The distance of new nodes, in pixels as the payloads of START and END. */
const COLUMN_WIDTH = 160;
const ROW_HEIGHT = 120;
/** Another node is at least so far away, to one side or above or below. */
const MIN_DISTANCE = 100;
/** In each row the place below comes first, then those next to it, nearest first. */
const COLUMNS = [0, 1, -1, 2, -2] as const;
/** Editors draw nothing beyond it, and larger sums lose precision. */
const MAX_COORDINATE = 1_000_000;

function readPlace({ payload: { x, y } }: Pick<WorkflowNode, 'payload'>): Point | undefined {
  const isPlace = typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y);
  return isPlace ? { x, y } : undefined;
}

/**
 * Finds a free place for a new node: the one below the node that it follows, `columns` to the right, or else the nearest
 * one to the side or below. No node is within 100 pixels of it. A node without a place counts as at the origin.
 */
export function placeBelow(
  { nodes }: Pick<Structure, 'nodes'>,
  previous: Pick<WorkflowNode, 'payload'>,
  columns = 0,
): Point {
  const places = nodes.flatMap((node) => readPlace(node) ?? []);
  const from = readPlace(previous);
  const isDrawn = from && Math.max(Math.abs(from.x), Math.abs(from.y)) <= MAX_COORDINATE;
  const { x, y } = isDrawn ? from : { x: 0, y: 0 };
  const isFree = (place: Point): boolean =>
    !places.some((existing) => Math.max(Math.abs(existing.x - place.x), Math.abs(existing.y - place.y)) < MIN_DISTANCE);
  // A node takes at most four places, so that a free one is soon found.
  for (let row = 1; ; row += 1) {
    for (const column of COLUMNS) {
      const place = { x: x + COLUMN_WIDTH * (columns + column), y: y + ROW_HEIGHT * row };
      if (isFree(place)) return place;
    }
  }
}
