/** Reads what the page of one response shows. */
import type { Caller, Role } from '#core/access/access.ts';
import type { Ports } from '#core/db/ports.ts';
import type { ResponsePreview } from '#core/responses/model.ts';
import { pathOf } from '#core/responses/preview.ts';
import type { OpenedResponse } from '#core/responses/service.ts';
import { showResponse } from '#core/responses/show.ts';
import { type Neighbours, neighboursOf } from '#core/review/neighbours.ts';
import { sectionTitle } from '#core/structure/structure.ts';
import type { ListAddress } from './list-address.ts';

export type ResponsePage = {
  opened: OpenedResponse;
  address: ListAddress;
  preview: ResponsePreview;
  /** The titles of the sections on the path. */
  path: readonly string[];
  neighbours: Neighbours;
  mayDelete: boolean;
};

type Reader = { opened: OpenedResponse; address: ListAddress; caller: Caller; roles: readonly Role[] };

/** The response with its neighbours in the list of the address. */
export async function responsePageOf(
  app: Pick<Ports, 'table'>,
  { opened, address, caller, roles }: Reader,
): Promise<ResponsePage> {
  const [preview, neighbours] = await Promise.all([
    showResponse(app.table, opened, { caller, roles }),
    neighboursOf(app, opened, address.filters),
  ]);
  const path = pathOf(opened).map((sectionId) => sectionTitle(opened.structure, sectionId));
  const mayDelete = roles.includes('admin') || roles.includes('creator');
  return { opened, address, preview, path, neighbours, mayDelete };
}
