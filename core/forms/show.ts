/** Opens forms for pages that respondents only look at, at half the cost of what all of them read. */
import type { Opener, Resources } from '#core/access/access.ts';
import type { Item, Table } from '#core/db/table.ts';
import { Problem } from '#core/problems/problems.ts';
import { isOpen, type Opening } from './gate.ts';

/** What must have the last write of the reader: their answers, and the questions in the version that the gate names. */
const CURRENT = new Set(['RESPONSE', 'STRUCTURE', 'ANSWERED']);

/**
 * Makes an opener for a page that only shows a form, or sections of it: everything but the answers and questions is read
 * eventually consistent, so that a popular form has room for twice as many readers. A form that seems to be closed, or is
 * refused, is opened again from what is stored now, since it may have been opened a second ago; one that was closed a
 * second ago is still shown, and what is sent from the page is refused. `getOpening` returns what says whether it is open.
 */
export const openToShow =
  <T extends Resources>(open: Opener<T>, getOpening: (resource: T) => Opening): Opener<T> =>
  async (call) => {
    const { app } = call;
    try {
      const opened = await open({ ...call, app: { ...app, table: readEventually(app.table) } });
      if (isOpen(getOpening(opened.resource), app.now())) return opened;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
    return open(call);
  };

function readEventually(table: Table): Table {
  return {
    ...table,
    read: async (keys) => {
      const isCurrent = keys.map(({ sk }) => CURRENT.has(sk));
      const [current, others] = await Promise.all([
        table.read(keys.filter((_, index) => isCurrent[index])),
        table.read(
          keys.filter((_, index) => !isCurrent[index]),
          'eventual',
        ),
      ]);
      return isCurrent.map((from): Item | undefined => (from ? current : others).shift());
    },
  };
}
