/** A short name of a response that people can read out: the respondent and the reviewers see the same one. */

/** The last eight digits of the id of a response, in two groups: `3F2A-91BC`. */
export const reference = (responseId: string): string => responseId.slice(-8).toUpperCase().replace(/^.{4}/, '$&-');
