/** The event of the document after its content was replaced by that of the next page, or sending a form has failed. */
export const PAGE_CHANGE = 'pagechange';
